import GraphStore

extension Workload {
  static func i2(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    let rows = Numbers.fetched
    return Workload(
      id: "I2", title: "batch insert of 200,000 records of ten integers", goal: "≤ 1.2 × floor",
      expected: { Numbers.answer(rows: rows) },
      contenders: {
        let template = try files.floorTemplate("empty.db") { _ in }
        let own = try project.template("empty.db") { _ in }
        return [
          ProjectWrite(
            files, template: own, load: { _ in },
            write: { context, _ in
              var row: Int64 = 0
              let request = BatchInsertRequest(NumbersObject.self) { object in
                row += 1
                if row <= rows { object.fill(row: row) }
                return row > rows
              }
              try context.execute(request)
            }, check: Numbers.written(in:)),
          FloorWrite(
            files, template: template, write: { try $0.fillNumbers(rows) }, check: Numbers.written(in:)),
          GRDBInsert<NamedNumbers>("GRDB: struct", files, template, rows: rows),
        ]
      })
  }
}
