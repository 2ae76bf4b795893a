import CGraphStoreShims
import CGraphStoreSQLite

/// State that SQLite's callbacks share with a connection and its statements: counters, the observer, the log,
/// the wait for locks, and the way to interrupt.
@usableFromInline
final class SQLiteMonitor {
  /// Read by other threads too.
  let statements = StatementCounters()
  var isSilent = false
  var observer: ((String) -> Void)?
  /// Receiver of what the connection does while the log of statements is on.
  var log: (any SQLiteStatementLog)?
  /// The events that SQLite reports: beginnings of statements, and with the log on their ends and rows.
  var reportedEvents = SQLITE_TRACE_STMT
  /// The parameters of a statement's text to which dates were bound while the log was on.
  var timestampParameters: [String: Set<Int>] = [:]
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
  func began(_ statement: OpaquePointer, _ text: UnsafePointer<CChar>) {
    unsafe interrupter.began(text)
    // Programs of triggers announce themselves by a comment, and so does a statement within another one.
    if unsafe isSilent || (text[0] == 0x2d && text[1] == 0x2d) { return }
    unsafe statements.count(text)
    if let observer { unsafe observer(String(cString: text)) }
    if gs_statement_log_level() != 0 || reportedEvents != SQLITE_TRACE_STMT { unsafe logBeginning(statement) }
  }

  /// The failure with which a call ended; a wait for a lock that was interrupted counts as interrupted.
  @usableFromInline
  func failure(_ code: Int32, database: OpaquePointer?, sql: String?) -> SQLiteError {
    defer { busyWait.end() }
    let error =
      code & 0xff == SQLITE_BUSY && busyWait.wasInterrupted
      ? SQLiteError(code: .interrupt, message: "interrupted", sql: sql)
      : unsafe SQLiteError(code: code, database: database, sql: sql)
    if gs_statement_log_level() != 0, !isSilent { log?.failed(error) }
    return error
  }
}
