import GRDB

/// Changes one value of records that are loaded already and writes them in one transaction.
final class GRDBUpdate<Updated: NumbersReading>: Contender {
  let name: String
  let side = Side.peer
  private let files: WorkFiles
  private let template: String
  private let update: (Updated, Database) throws -> Void
  private var path = ""
  private var queue: DatabaseQueue?
  private var records: [Updated] = []

  init(
    _ name: String, _ files: WorkFiles, _ template: String,
    _ update: @escaping (Updated, Database) throws -> Void
  ) {
    self.name = name
    self.files = files
    self.template = template
    self.update = update
  }

  func prepare() throws {
    queue = nil
    path = try files.freshCopy(of: template, as: "peer.db")
    let opened = try DatabaseQueue(path: path)
    records = try opened.read { database in
      try Updated.fetchAll(
        database, sql: "SELECT Z_PK, Z_ENT, Z_OPT, \(Updated.columns) FROM \(Updated.table)")
    }
    queue = opened
  }

  func work() throws {
    try queue?.write { database in
      for index in records.indices {
        records[index].i3 += 1
        try update(records[index], database)
      }
    }
  }

  func answer() throws -> Answer { try Numbers.written(in: FloorStore(path)) }
}
