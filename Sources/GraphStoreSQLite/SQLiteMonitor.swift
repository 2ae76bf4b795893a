import CGraphStoreSQLite

/// State that SQLite's callbacks share with a connection and its statements: counters, the observer, the wait
/// for locks, and the way to interrupt.
@usableFromInline
final class SQLiteMonitor {
  /// Read by other threads too.
  let statements = StatementCounters()
  var isSilent = false
  var observer: ((String) -> Void)?
  var busyWait: SQLiteBusyWait
  let interrupter = SQLiteInterrupter()
  /// Asked again and again while a statement runs, whether it is to end.
  var endsStatements: (() -> Bool)?
  /// The error that a function threw while a statement ran.
  var functionFailure: (any Error)?

  init(busyTimeout: Duration) {
    busyWait = SQLiteBusyWait(timeout: busyTimeout)
  }

  /// Called by SQLite when a statement begins to run.
  func began(_ text: UnsafePointer<CChar>) {
    unsafe interrupter.began(text)
    // Programs of triggers announce themselves by a comment.
    if unsafe isSilent || (text[0] == 0x2d && text[1] == 0x2d) { return }
    unsafe statements.count(text)
    if let observer { unsafe observer(String(cString: text)) }
  }

  /// The failure with which a call ended; a wait for a lock that was interrupted counts as interrupted.
  @usableFromInline
  func failure(_ code: Int32, database: OpaquePointer?, sql: String?) -> SQLiteError {
    defer { busyWait.end() }
    if code & 0xff == SQLITE_BUSY && busyWait.wasInterrupted {
      return SQLiteError(code: .interrupt, message: "interrupted", sql: sql)
    }
    return unsafe SQLiteError(code: code, database: database, sql: sql)
  }
}
