import GraphStore

extension Workload {
  static func f1(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "F1", title: "fetch 200,000 objects of ten integers, read every value",
      goal: "≤ 1.5 × floor, < GRDB by name, Codable and class, ≤ 1.3 × its positional struct",
      expected: { Numbers.answer(rows: Numbers.fetched) },
      contenders: {
        let path = try Numbers.template(files, rows: Numbers.fetched)
        let own = try project.numbers(rows: Numbers.fetched)
        return [
          try ProjectRead(own) {
            NumbersObject.answer(try $0.fetch(NumbersObject.self, FetchRequest(entityName: "Numbers")))
          },
          try FloorRead(path) { try $0.fetchNumbers() },
          try GRDBFetch<PositionalNumbers>("GRDB: positional struct", path),
          try GRDBFetch<NamedNumbers>("GRDB: struct by name", path),
          try GRDBFetch<CodableNumbers>("GRDB: Codable struct", path),
          try GRDBFetch<RecordNumbers>("GRDB: class record", path),
        ]
      })
  }
}
