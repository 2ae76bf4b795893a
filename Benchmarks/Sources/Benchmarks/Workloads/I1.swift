import GraphStore

extension Workload {
  static func i1(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "I1", title: "insert 50,000 objects of ten integers, save once",
      goal: "≤ 2 × floor, < every GRDB variant",
      expected: { Numbers.answer(rows: Numbers.written) },
      contenders: {
        let template = try files.floorTemplate("empty.db") { _ in }
        let own = try project.template("empty.db") { _ in }
        return [
          ProjectWrite(
            files, template: own, load: { _ in },
            write: { context, _ in
              for row in 1...Numbers.written {
                try context.insert(NumbersObject.self, entityNamed: "Numbers").fill(row: row)
              }
              try context.save()
            }, check: Numbers.written(in:)),
          FloorWrite(
            files, template: template, write: { try $0.fillNumbers(Numbers.written) },
            check: Numbers.written(in:)),
          GRDBInsert<NamedNumbers>("GRDB: struct", files, template),
          GRDBInsert<CodableNumbers>("GRDB: Codable struct", files, template),
          GRDBInsert<RecordNumbers>("GRDB: class record", files, template),
        ]
      })
  }
}
