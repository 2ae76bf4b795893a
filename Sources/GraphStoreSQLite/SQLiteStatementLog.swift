import CGraphStoreShims

/// Receiver of what a connection does, while the log of statements is on.
///
/// It is called on the thread of the connection, within SQLite: it must not use the connection.
public protocol SQLiteStatementLog: AnyObject, Sendable {
  /// A statement begins to run.
  func began(_ statement: SQLiteLoggedStatement)
  /// A statement has come to a row.
  func returnedRow(of statement: SQLiteLoggedStatement)
  /// A statement has ended, or was reset.
  func ended(_ statement: SQLiteLoggedStatement)
  /// A statement has failed, while it ran or before.
  func failed(_ error: SQLiteError)
}

/// The log of statements, which is off at first.
public enum SQLiteLogging {
  /// Its level for the whole process: 0 is off, from 2 on values are read, from 3 on rows.
  public static var level: Int {
    get { Int(gs_statement_log_level()) }
    set { gs_set_statement_log_level(UInt32(clamping: newValue)) }
  }

  /// Whether it is on: one load.
  @inlinable
  @inline(__always)
  public static var isOn: Bool { gs_statement_log_level() != 0 }
}

extension SQLiteConnection {
  /// Receiver of what the connection does while the log of statements is on.
  public var log: (any SQLiteStatementLog)? {
    get { monitor.log }
    set { monitor.log = newValue }
  }
}
