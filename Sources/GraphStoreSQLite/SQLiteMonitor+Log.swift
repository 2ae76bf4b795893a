import CGraphStoreShims
import CGraphStoreSQLite

extension SQLiteMonitor {
  /// Has SQLite report events of a database: beginnings of statements, and perhaps their ends and rows.
  func listen(to database: OpaquePointer, for events: Int32) {
    reportedEvents = events
    unsafe sqlite3_trace_v2(
      database, UInt32(events),
      { event, context, statement, text in
        guard let context = unsafe context, let statement = unsafe statement else { return 0 }
        let monitor = unsafe Unmanaged<SQLiteMonitor>.fromOpaque(context).takeUnretainedValue()
        switch Int32(event) {
        case SQLITE_TRACE_STMT:
          if let text = unsafe text {
            unsafe monitor.began(OpaquePointer(statement), text.assumingMemoryBound(to: CChar.self))
          }
        case SQLITE_TRACE_ROW: unsafe monitor.logRow(OpaquePointer(statement))
        default: unsafe monitor.logEnd(OpaquePointer(statement))
        }
        return 0
      }, unsafe Unmanaged.passUnretained(self).toOpaque())
  }

  /// Has SQLite report what the present level of the log needs. A statement that was begun before has no end.
  @inline(__always)
  func followLevel(_ database: OpaquePointer) {
    if gs_statement_log_level() != 0 || reportedEvents != SQLITE_TRACE_STMT { unsafe changeEvents(database) }
  }

  private func changeEvents(_ database: OpaquePointer) {
    let events =
      log == nil || gs_statement_log_level() == 0
      ? SQLITE_TRACE_STMT
      : SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE | (gs_statement_log_level() > 2 ? SQLITE_TRACE_ROW : 0)
    if events != reportedEvents { unsafe listen(to: database, for: events) }
  }

  /// Has the log know that a statement begins.
  func logBeginning(_ statement: OpaquePointer) {
    if let database = unsafe sqlite3_db_handle(statement) { unsafe changeEvents(database) }
    if gs_statement_log_level() != 0 { unsafe log?.began(SQLiteLoggedStatement(statement, self)) }
  }

  private func logRow(_ statement: OpaquePointer) {
    if !isSilent, gs_statement_log_level() > 2 {
      unsafe log?.returnedRow(of: SQLiteLoggedStatement(statement, self))
    }
  }

  private func logEnd(_ statement: OpaquePointer) {
    if !isSilent, gs_statement_log_level() != 0 {
      unsafe log?.ended(SQLiteLoggedStatement(statement, self))
    }
  }

  /// Notes that a parameter is a date, which is bound as a number.
  @usableFromInline
  func noteTimestamp(_ parameter: Int, of text: String) {
    timestampParameters[text, default: []].insert(parameter)
  }
}
