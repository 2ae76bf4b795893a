#if PostgreSQL
import GraphStore
import GraphStoreModel

/// A connection beside the pool's that stays inside one snapshot (CTX-345).
final class PostgreSQLGenerationSession: PostgreSQLSession, GenerationSession {
  private let pinned: PinnedPostgreSQLConnection
  /// What had been committed when the snapshot began.
  private var progress = ""

  override var origin: RowCache.Origin { .generation }

  /// Begins to read the present state.
  init(_ store: PostgreSQLStore) throws {
    try store.checkProcess()
    pinned = try store.pool.openPinned(limit: store.options.queryGenerationMaxCount)
    super.init(store, pinned.connection)
    do {
      try reporting {
        let cursor = try connection.run([
          .once("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"), .once(store.history.progress),
        ])[1]
        if try cursor.step() { progress = cursor.string(at: 0) }
      }
    } catch {
      end()
      throw error
    }
  }

  /// As far as the history says; without one, whether no transaction of the server has ended.
  var isPresent: Bool {
    guard connection.isOpen else { return false }
    let present = try? store.withConnection { connection in
      let cursor = try connection.run(store.history.progress)
      return try cursor.step() ? cursor.string(at: 0) : nil
    }
    return present == progress
  }

  /// A table that is made later has no rows in the snapshot.
  func begin() { checkIdentity() }

  func endReading() { _ = connection.forgetPrelude() }

  func enter() throws -> Bool { try store.pool.enter(pinned) }

  func leave() { store.pool.leave(pinned) }

  func end() { store.pool.end(pinned) }
}

extension PostgreSQLStore {
  var keepsGenerations: Bool { true }

  func beginGeneration() throws -> (any GenerationSession)? { try PostgreSQLGenerationSession(self) }
}
#endif
