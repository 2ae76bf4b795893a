import CGraphStoreSQLite

extension SQLiteConnection {
  /// When a transaction takes the lock for writing.
  public enum TransactionKind: String, Sendable {
    /// At the first write.
    case deferred = "BEGIN DEFERRED"
    /// At once.
    case immediate = "BEGIN IMMEDIATE"
    /// At once, and (without write-ahead logging) against readers too.
    case exclusive = "BEGIN EXCLUSIVE"
  }

  /// Begins a transaction; throws if one is open.
  public func begin(_ kind: TransactionKind = .immediate) throws(SQLiteError) {
    try execute(kind.rawValue)
  }

  /// Commits the open transaction; when that fails it stays open.
  public func commit() throws(SQLiteError) {
    try execute("COMMIT")
  }

  /// Rolls the open transaction back; does nothing without one.
  public func rollback() throws(SQLiteError) {
    guard isInTransaction else { return }
    do {
      try execute("ROLLBACK")
    } catch  where error.category == .interrupted && isInTransaction {
      // An interrupt was meant for the work that is rolled back, not for the rollback.
      try execute("ROLLBACK")
    }
  }

  /// Runs `body` in a transaction that is committed at its end and rolled back if it or the commit throws.
  public func transaction<Result>(_ kind: TransactionKind = .immediate, _ body: () throws -> Result) throws
    -> Result
  {
    try begin(kind)
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      // SQLite has rolled back by itself after some failures; the first error is the one to report.
      try? rollback()
      throw error
    }
  }

  /// Runs `body` in a savepoint, within a transaction or as one; what it did is undone if it throws.
  public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    let name = "gs_\(savepointDepth)"
    try execute("SAVEPOINT \(name)")
    savepointDepth += 1
    defer { savepointDepth -= 1 }
    do {
      let result = try body()
      try execute("RELEASE \(name)")
      return result
    } catch {
      if isInTransaction {
        try? execute("ROLLBACK TO \(name)")
        try? execute("RELEASE \(name)")
      }
      throw error
    }
  }
}
