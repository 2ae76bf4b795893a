import GRDB

/// Makes records and inserts them in one transaction.
final class GRDBInsert<Inserted: NumbersWriting>: Contender {
  let name: String
  let side = Side.peer
  private let files: WorkFiles
  private let template: String
  private let rows: Int64
  private var path = ""
  private var queue: DatabaseQueue?

  init(_ name: String, _ files: WorkFiles, _ template: String, rows: Int64 = Numbers.written) {
    self.name = name
    self.files = files
    self.template = template
    self.rows = rows
  }

  func prepare() throws {
    queue = nil
    path = try files.freshCopy(of: template, as: "peer.db")
    queue = try DatabaseQueue(path: path)
  }

  func work() throws {
    try queue?.write { database in
      for row in 1...rows { try Inserted(row: row).insert(database) }
    }
  }

  func answer() throws -> Answer { try Numbers.written(in: FloorStore(path)) }
}
