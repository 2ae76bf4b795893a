import GRDB

/// Fetches a whole table into an array of records and reads every value.
final class GRDBFetch<Fetched: FetchableRecord & DigestReading>: Contender {
  let name: String
  let side = Side.peer
  private let queue: DatabaseQueue
  private var found = Answer(count: 0)

  init(_ name: String, _ path: String) throws {
    self.name = name
    queue = try DatabaseQueue(path: path)
  }

  func work() throws { found = try queue.read(Self.answer) }

  static func answer(_ database: Database) throws -> Answer {
    let records = try Fetched.fetchAll(
      database, sql: "SELECT Z_PK, Z_ENT, Z_OPT, \(Fetched.columns) FROM \(Fetched.table)")
    var sum: Int64 = 0
    for record in records { sum += record.digest }
    return Answer(
      count: Int64(records.count), first: records.first?.digest ?? 0, last: records.last?.digest ?? 0,
      sum: sum)
  }

  func answer() throws -> Answer { found }
}
