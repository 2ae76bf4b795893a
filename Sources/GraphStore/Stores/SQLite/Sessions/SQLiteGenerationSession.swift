import GraphStoreModel
import GraphStoreSQLite

/// A connection beside the pool's that stays inside one read transaction (CTX-345).
final class SQLiteGenerationSession: SQLiteSession, GenerationSession, ExplainingSession,
  IndexReadingSession
{
  private let pinned: PinnedConnection
  /// The commits that its snapshot may have missed: files of values that these have replaced stay (STO-179).
  private let commitNumber: Int

  override var origin: RowCache.Origin { .generation }

  /// Begins to read the present state.
  init(_ store: SQLiteStore) throws {
    pinned = try store.reporting { try store.pool.openPinned(limit: store.options.queryGenerationMaxCount) }
    // Before the snapshot begins, which may then have seen more.
    commitNumber = store.rowCache.beginPin()
    super.init(store, pinned.pooled)
    do {
      try reporting {
        try connection.withoutCounting {
          try connection.execute("BEGIN")
          // The snapshot begins with the first statement that reads.
          _ = try connection.int64("SELECT count(*) FROM sqlite_schema")
        }
      }
    } catch {
      end()
      throw error
    }
  }

  var isPresent: Bool { store.pool.isPresent(pinned) }

  func begin() {}

  func endReading() {}

  func enter() throws -> Bool { try store.reporting { try store.pool.enter(pinned) } }

  func leave() { store.pool.leave(pinned) }

  func end() {
    store.pool.end(pinned)
    store.rowCache.endPin(commitNumber)
    store.removeRetiredData()
  }
}

extension SQLiteStore {
  /// Whether it has a write-ahead log, in which former states stay (CTX-346).
  var keepsGenerations: Bool {
    if isPrivate { return false }
    if let known = hasLog.withLock(\.self) { return known }
    guard let answer = try? pool.askingQuietly({ try $0.usesLog() }) else { return false }
    hasLog.withLock { $0 = answer }
    return answer
  }

  func beginGeneration() throws -> (any GenerationSession)? {
    keepsGenerations ? try SQLiteGenerationSession(self) : nil
  }

  var writeAheadLog: (bytes: Int, generations: Int)? {
    keepsGenerations ? (pool.logSize, pool.pinnedCount) : nil
  }
}
