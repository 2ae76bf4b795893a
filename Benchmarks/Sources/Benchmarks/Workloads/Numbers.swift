import CFloors

/// Rows of ten integers: what the workloads over them expect.
enum Numbers {
  static let fetched: Int64 = 200_000
  static let written: Int64 = 50_000

  static func rowSum(_ row: Int64) -> Int64 {
    (0..<Int32(data_number_columns)).reduce(0) { $0 + data_number(row, $1) }
  }

  static func answer(rows: Int64) -> Answer {
    Answer(
      count: rows, first: rowSum(1), last: rowSum(rows), sum: (1...rows).reduce(0) { $0 + rowSum($1) })
  }

  static func template(_ files: WorkFiles, rows: Int64) throws -> String {
    try files.floorTemplate("numbers-\(rows).db") { try $0.fillNumbers(rows) }
  }

  /// The state of the table after writing, whoever wrote it.
  static func written(in store: FloorStore) throws -> Answer {
    let sum = "ZI0 + ZI1 + ZI2 + ZI3 + ZI4 + ZI5 + ZI6 + ZI7 + ZI8 + ZI9"
    return Answer(
      count: try store.integer("SELECT count(*) FROM ZNUMBERS"),
      first: try store.integer("SELECT \(sum) FROM ZNUMBERS ORDER BY Z_PK LIMIT 1"),
      last: try store.integer("SELECT \(sum) FROM ZNUMBERS ORDER BY Z_PK DESC LIMIT 1"),
      sum: try store.integer("SELECT sum(\(sum)) FROM ZNUMBERS"))
  }
}
