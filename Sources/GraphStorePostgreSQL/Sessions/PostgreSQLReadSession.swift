#if PostgreSQL
import GraphStore
import GraphStoreModel

/// A connection that reads, inside one snapshot of the database.
final class PostgreSQLReadSession: PostgreSQLSession, ReadSession {
  private let use: ReadUse
  private var commitNumber = 0

  override var origin: RowCache.Origin {
    use.contains(.oneRecord) ? .record(commitNumber) : .snapshot(commitNumber)
  }

  override var readsPages: Bool { use.contains([.severalStatements, .wholeStore]) }

  /// A session that has yet to begin.
  init(_ store: PostgreSQLStore, _ use: ReadUse) {
    self.use = use
    super.init(store, nil)
  }

  /// A single statement is a snapshot by itself; the snapshot of several begins with the first.
  func begin() throws {
    assert(begun == nil, "a session begins once")
    try store.checkProcess()
    let connection = try store.pool.takeReader(takesSlot: takesSlot)
    begun = connection
    // Before the first statement, with which the snapshot begins.
    commitNumber = use.contains(.oneRecord) ? rowCache.commitCount : rowCache.beginSnapshot()
    if use.contains(.severalStatements) {
      connection.precede(with: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    }
    checkIdentity()
  }

  func endReading() {
    guard let connection = begun else { return }
    begun = nil
    // Nothing was written, so that a failure has nothing to say, and nobody waits for the end.
    if !connection.forgetPrelude(), use.contains(.severalStatements) { try? connection.post("COMMIT") }
    if !use.contains(.oneRecord) { rowCache.endSnapshot(commitNumber) }
    store.pool.giveBackReader(connection, takesSlot: takesSlot)
  }

  /// Whether others wait for the connection.
  private var takesSlot: Bool { !use.contains(.runsCallbacks) }
}
#endif
