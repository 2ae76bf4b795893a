import GraphStore

extension Workload {
  /// Contexts without objects (CTX-474).
  static func n3(_ project: ProjectStore) -> Workload {
    let count = 10_000
    return Workload(
      id: "N3", title: "make 10,000 contexts, and release them", goal: "≤ 100 ms",
      expected: { Answer(count: Int64(count)) },
      contenders: {
        let coordinator = try ProjectStore.open(try project.numbers(rows: 1))
        return [
          PlainContender("GraphStore", .project) {
            let contexts = (0..<count).map { _ in ManagedObjectContext(coordinator: coordinator) }
            return Answer(count: Int64(contexts.count))
          }
        ]
      })
  }
}
