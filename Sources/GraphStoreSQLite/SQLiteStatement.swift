import CGraphStoreShims
import CGraphStoreSQLite

/// A prepared statement.
///
/// Parameters count from 1, columns from 0, as in SQLite. Accessors of columns are thin wrappers that are
/// inlined into the caller; what they return lives until the next step or reset. A statement belongs to its
/// connection's owner and is used under the same lock.
@safe public final class SQLiteStatement {
  /// SQLite's own object.
  public let handle: OpaquePointer
  /// The text it was prepared from.
  public let sql: String
  @usableFromInline let monitor: SQLiteMonitor

  init(handle: OpaquePointer, sql: String, monitor: SQLiteMonitor) {
    unsafe self.handle = unsafe handle
    self.sql = sql
    self.monitor = monitor
  }

  deinit {
    unsafe sqlite3_finalize(handle)
  }

  /// Runs to the next row: true if there is one, false at the end.
  @inlinable
  @inline(__always)
  public func step() throws(SQLiteError) -> Bool {
    let code = unsafe gs_statement_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw failure(code)
  }

  /// Runs a statement that returns no rows, then makes it ready to run again; bindings stay.
  @inlinable
  public func run() throws(SQLiteError) {
    let code = unsafe gs_statement_step(handle)
    if code == SQLITE_DONE || code == SQLITE_ROW {
      unsafe sqlite3_reset(handle)
      return
    }
    let error = failure(code)
    unsafe sqlite3_reset(handle)
    throw error
  }

  /// Makes the statement ready to run again; bindings stay.
  @inlinable
  public func reset() {
    unsafe sqlite3_reset(handle)
  }

  /// Sets every parameter to NULL.
  @inlinable
  public func clearBindings() {
    unsafe sqlite3_clear_bindings(handle)
  }

  /// The number of parameters.
  public var parameterCount: Int { unsafe Int(sqlite3_bind_parameter_count(handle)) }

  /// The number of columns of a row.
  public var columnCount: Int { unsafe Int(sqlite3_column_count(handle)) }

  /// The name of a column of the result.
  public func columnName(at index: Int) -> String {
    guard let name = unsafe sqlite3_column_name(handle, Int32(truncatingIfNeeded: index)) else { return "" }
    return unsafe String(cString: name)
  }

  /// Whether the statement writes nothing.
  public var isReadOnly: Bool { unsafe sqlite3_stmt_readonly(handle) != 0 }

  /// Whether it has been stepped and neither ended nor reset.
  public var isRunning: Bool { unsafe sqlite3_stmt_busy(handle) != 0 }

  @usableFromInline
  func failure(_ code: Int32) -> SQLiteError {
    unsafe monitor.failure(code, database: sqlite3_db_handle(handle), sql: sql)
  }
}
