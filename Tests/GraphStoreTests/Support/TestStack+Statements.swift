import GraphStoreSQLite

@testable import GraphStore

extension TestStack {
  /// The pool of the first store's connections.
  var pool: SQLiteConnectionPool? { (coordinator.firstStore as? SQLiteStore)?.pool }

  /// The connection of the first store, which has no other as long as one thread uses it.
  func connection() throws -> SQLiteConnection {
    guard let pool else { throw NotSQLite() }
    let taken = try pool.takeReader(takesReaderSlot: true)
    defer { pool.giveBackReader(taken, takesReaderSlot: true) }
    return taken.connection
  }

  private struct NotSQLite: Error {}

  /// Runs statements and gives the texts of those that the store has run for it.
  func recordedStatements(_ body: () throws -> Void) throws -> [String] {
    guard let pool else { return [] }
    var texts: [String] = []
    pool.onStatement = { texts.append($0) }
    defer { pool.onStatement = nil }
    try body()
    return texts
  }
}
