import GraphStore

extension Workload {
  /// - Parameter isLoaded: Whether the parent has all objects in memory.
  static func n2(_ files: WorkFiles, _ project: ProjectStore, part: Int, isLoaded: Bool) -> Workload {
    Workload(
      id: "N2.\(part)",
      title:
        "fetch 200,000 objects of ten integers in a child whose parent has \(isLoaded ? "loaded them" : "nothing"), read every value",
      goal: "≤ \(isLoaded ? "1.0" : "1.3") × the same without a child",
      expected: { Numbers.answer(rows: Numbers.fetched) },
      contenders: {
        let path = try project.numbers(rows: Numbers.fetched)
        return [
          try ChildRead(path, isLoaded: isLoaded),
          try ProjectRead(path, name: "without a child (F1)", side: .floor) {
            NumbersObject.answer(try $0.fetch(NumbersObject.self, FetchRequest(entityName: "Numbers")))
          },
        ]
      })
  }
}
