import CGraphStoreSQLite
import Glibc

/// A value of a statement or of a row, as the log of statements shows it.
public enum SQLiteLoggedValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case double(Double)
  /// Seconds since the beginning of 2001.
  case timestamp(Double)
  case text(String)
  /// Several values that are bound as one, as the text of an array in JSON.
  case list(String)
  /// Bytes, of which only their number is known.
  case blob(Int)
}

/// A statement that a log is told of, for as long as the call takes.
@safe public struct SQLiteLoggedStatement {
  private let handle: OpaquePointer
  private let monitor: SQLiteMonitor

  init(_ handle: OpaquePointer, _ monitor: SQLiteMonitor) {
    unsafe self.handle = unsafe handle
    self.monitor = monitor
  }

  /// The text that SQLite was given.
  public var text: String { unsafe sqlite3_sql(handle).map { unsafe String(cString: $0) } ?? "" }

  /// A number that no other statement has while this one lives.
  public var number: UInt { UInt(bitPattern: unsafe handle) }

  /// The rows that the last INSERT, UPDATE or DELETE of the connection has changed.
  public var changes: Int { unsafe Int(sqlite3_changes64(sqlite3_db_handle(handle))) }

  /// The bound values, in the order of the parameters.
  ///
  /// SQLite tells them in the text of the statement alone, numbers with 15 digits.
  public var boundValues: [SQLiteLoggedValue] {
    guard unsafe sqlite3_bind_parameter_count(handle) > 0, let expanded = unsafe sqlite3_expanded_sql(handle)
    else { return [] }
    defer { unsafe sqlite3_free(expanded) }
    let text = text
    let timestamps = monitor.timestampParameters[text] ?? []
    let bytes = unsafe UnsafeBufferPointer(start: expanded, count: strlen(expanded))
    return SQLiteBoundValues.values(
      of: Array(text.utf8), in: unsafe bytes.map { UInt8(bitPattern: $0) }, timestamps: timestamps)
  }

  /// The names and values of the present row.
  public var row: [(column: String, value: SQLiteLoggedValue)] {
    let count = unsafe sqlite3_column_count(handle)
    return (0..<count).map { column in
      (unsafe sqlite3_column_name(handle, column).map { unsafe String(cString: $0) } ?? "", value(at: column))
    }
  }

  private func value(at column: Int32) -> SQLiteLoggedValue {
    switch unsafe sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER:
      let number = unsafe sqlite3_column_int64(handle, column)
      // SQLite keeps a number without a fraction as an integer.
      return isTimestamp(column) ? .timestamp(Double(number)) : .integer(number)
    case SQLITE_FLOAT:
      let number = unsafe sqlite3_column_double(handle, column)
      return isTimestamp(column) ? .timestamp(number) : .double(number)
    case SQLITE_TEXT:
      return .text(unsafe sqlite3_column_text(handle, column).map { unsafe String(cString: $0) } ?? "")
    case SQLITE_BLOB: return .blob(unsafe Int(sqlite3_column_bytes(handle, column)))
    default: return .null
    }
  }

  private func isTimestamp(_ column: Int32) -> Bool {
    unsafe sqlite3_column_decltype(handle, column).map { unsafe strcmp($0, "TIMESTAMP") == 0 } ?? false
  }

  /// The steps of SQLite's plan for it, with their depths.
  ///
  /// Asking for them is a statement within the one that begins, which is neither counted nor logged.
  public func plan() -> [(depth: Int, step: String)] {
    let wasSilent = monitor.isSilent
    monitor.isSilent = true
    defer { monitor.isSilent = wasSilent }
    var explanation: OpaquePointer?
    let text = "EXPLAIN QUERY PLAN " + text
    guard unsafe sqlite3_prepare_v2(sqlite3_db_handle(handle), text, -1, &explanation, nil) == SQLITE_OK
    else { return [] }
    defer { unsafe sqlite3_finalize(explanation) }
    var depths: [Int32: Int] = [:]
    var steps: [(Int, String)] = []
    while unsafe sqlite3_step(explanation) == SQLITE_ROW {
      let depth = unsafe depths[sqlite3_column_int(explanation, 1)].map { $0 + 1 } ?? 0
      unsafe depths[sqlite3_column_int(explanation, 0)] = depth
      steps.append(
        (depth, unsafe sqlite3_column_text(explanation, 3).map { unsafe String(cString: $0) } ?? ""))
    }
    return steps
  }
}
