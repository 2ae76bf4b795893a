import CGraphStoreShims
import CGraphStoreSQLite

extension SQLiteConnection {
  /// Mode of writing a log into its database.
  public enum LogFolding: String, Sendable {
    /// Beside others that read and write; the log stays as it is.
    case beside = "PASSIVE"
    /// Waiting for all others, after which the log is empty.
    case whole = "TRUNCATE"
  }

  /// Whether the database is written through a log beside it.
  public func usesLog() throws -> Bool { try string("PRAGMA journal_mode") == "wal" }

  /// Writes the log beside the database into it.
  ///
  /// - Parameter kind: For ``LogFolding/beside`` another connection may have the lock of the writer.
  /// - Throws: ``SQLiteErrorCode/busy`` where another connection keeps a part of the log from being written
  ///   into the database.
  public func foldLog(_ kind: LogFolding) throws {
    try withStatement("PRAGMA wal_checkpoint(\(kind.rawValue))") { row in
      guard try row.step(), row.int64(at: 0) == 0, row.int64(at: 1) == row.int64(at: 2) else {
        throw SQLiteError(code: .busy, message: "the database is locked")
      }
    }
  }

  /// Takes the lock of the file against all other connections, readers too, beneath a transaction that
  /// writes.
  ///
  /// A process that replaces a file has to have it locked from the first read on: SQLite's own way to such a
  /// lock releases that of the writer in between. With a log as with a journal no other connection has the
  /// file open then, until the connection is closed, which is all that it may be used for.
  ///
  /// - Throws: ``SQLiteErrorCode/busy`` at once where another connection has the file open; the transaction
  ///   continues.
  public func lockFile() throws {
    let database = try unsafe openHandle()
    let code = unsafe gs_sqlite3_lock_file(database)
    guard code != SQLITE_OK else { return }
    // Readers would be kept waiting meanwhile. Without a log that would release the lock of the writer as
    // well.
    if try usesLog() { _ = unsafe gs_sqlite3_share_file(database) }
    throw SQLiteError(
      code: SQLiteErrorCode(rawValue: code),
      message: code == SQLITE_BUSY ? "the database is locked" : "the database cannot be locked")
  }
}
