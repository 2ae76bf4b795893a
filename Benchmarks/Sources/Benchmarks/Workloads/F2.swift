import CFloors
import GraphStore

extension Workload {
  static func f2(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
    Workload(
      id: "F2", title: "the same with text, date, decimal and nil",
      goal: "≤ 1.5 × floor",
      expected: { Mixed.answer(rows: Numbers.fetched) },
      contenders: {
        let path = try files.floorTemplate("mixed.db") { try $0.fillMixed(Numbers.fetched) }
        let own = try project.template("mixed.db") { try $0.fillMixed(Numbers.fetched) }
        return [
          try ProjectRead(own) {
            MixedObject.answer(try $0.fetch(MixedObject.self, FetchRequest(entityName: "Mixed")))
          },
          try FloorRead(path) { try $0.fetchMixed() },
          try GRDBFetch<MixedRecord>("GRDB: struct by name, money as Double", path),
        ]
      })
  }
}

/// Rows of text, dates, money and nil: what a reader of all of them finds.
enum Mixed {
  static func answer(rows: Int64) -> Answer {
    Answer(
      count: rows, first: digest(1), last: digest(rows), sum: (1...rows).reduce(0) { $0 + digest($1) })
  }

  static func digest(of text: String) -> Int64 {
    let bytes = text.utf8
    return Int64(bytes.count) + Int64(bytes.first ?? 0) + Int64(bytes.last ?? 0)
  }

  private static func digest(_ row: Int64) -> Int64 {
    var data = data_mixed_row()
    data_mixed(row, &data)
    var sum = Int64(data.flag) + data.born + data.price_cents
    sum += data.has_rating == 0 ? 1 : Int64(data.rating * 8)
    sum += digest(of: text(data.name))
    sum += data.has_note == 0 ? 1 : digest(of: text(data.note))
    return sum
  }

  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
