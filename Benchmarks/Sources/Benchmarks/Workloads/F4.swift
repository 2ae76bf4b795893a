import GraphStore

extension Workload {
  static func f4(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "F4", title: "fetch 200,000 objects that are still loaded, read every value",
      goal: "≤ 0.5 × the first time",
      expected: { Numbers.answer(rows: Numbers.fetched) },
      contenders: {
        let path = try project.numbers(rows: Numbers.fetched)
        return [
          try ProjectReadAgain(path),
          try ProjectRead(path, name: "the first time (F1)", side: .floor) {
            NumbersObject.answer(try $0.fetch(NumbersObject.self, FetchRequest(entityName: "Numbers")))
          },
        ]
      })
  }
}
