import CGraphStoreSQLite
import Foundation

/// A database read and written by SQLite alone, without the code under trial.
final class SecondReader {
  private var handle: OpaquePointer?

  /// Opens a file for reading and writing: a log or a journal beside it is taken in.
  init(_ path: String, makes: Bool = false) throws {
    let access = SQLITE_OPEN_READWRITE | (makes ? SQLITE_OPEN_CREATE : 0)
    guard sqlite3_open_v2(path, &handle, access, nil) == SQLITE_OK else {
      let message = String(cString: sqlite3_errmsg(handle))
      sqlite3_close_v2(handle)
      throw CampaignError(message: "\(path): \(message)")
    }
    sqlite3_busy_timeout(handle, 5000)
  }

  deinit { sqlite3_close_v2(handle) }

  /// A value of a row, as SQLite keeps it.
  enum Value: Hashable, CustomStringConvertible {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])

    var description: String {
      switch self {
      case .null: "NULL"
      case .integer(let number): "\(number)"
      case .real(let number): "\(number)"
      case .text(let bytes): String(decoding: bytes, as: UTF8.self).debugDescription
      case .blob(let bytes): "x'" + bytes.map { String(format: "%02x", $0) }.joined() + "'"
      }
    }

    /// The characters of a text or of a blob that holds one.
    var string: String? {
      switch self {
      case .text(let bytes), .blob(let bytes): String(validating: bytes, as: UTF8.self)
      default: nil
      }
    }
  }

  /// Runs statements without a result.
  func run(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
  }

  /// The rows of a statement.
  func rows(_ sql: String, _ values: [Value] = []) throws -> [[Value]] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw failure(sql) }
    defer { sqlite3_finalize(statement) }
    for (index, value) in values.enumerated() { bind(value, to: statement, at: Int32(index + 1)) }
    var rows: [[Value]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: rows.append((0..<sqlite3_column_count(statement)).map { column(statement, $0) })
      case SQLITE_DONE: return rows
      default: throw failure(sql)
      }
    }
  }

  var tables: [String] {
    get throws {
      try rows(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
      )
      .compactMap { $0[0].string }
    }
  }

  func columns(of table: String) throws -> [String] {
    try rows("SELECT name FROM pragma_table_info(?)", [.text(Array(table.utf8))]).compactMap { $0[0].string }
  }

  private func failure(_ sql: String) -> CampaignError {
    CampaignError(message: "\(String(cString: sqlite3_errmsg(handle))): \(sql)")
  }

  private func bind(_ value: Value, to statement: OpaquePointer?, at index: Int32) {
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: sqlite3_bind_null(statement, index)
    case .integer(let number): sqlite3_bind_int64(statement, index, number)
    case .real(let number): sqlite3_bind_double(statement, index, number)
    case .text(let bytes):
      _ = bytes.withUnsafeBytes { buffer in
        sqlite3_bind_text(
          statement, index, buffer.baseAddress?.assumingMemoryBound(to: CChar.self) ?? nil,
          Int32(bytes.count),
          transient)
      }
      if bytes.isEmpty { sqlite3_bind_text(statement, index, "", 0, transient) }
    case .blob(let bytes):
      if bytes.isEmpty {
        sqlite3_bind_zeroblob(statement, index, 0)
      } else {
        _ = bytes.withUnsafeBytes {
          sqlite3_bind_blob(statement, index, $0.baseAddress, Int32(bytes.count), transient)
        }
      }
    }
  }

  private func column(_ statement: OpaquePointer?, _ index: Int32) -> Value {
    func bytes(_ start: UnsafeRawPointer?) -> [UInt8] {
      [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index))))
    }
    switch sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, index))
    case SQLITE_TEXT: return .text(bytes(sqlite3_column_text(statement, index)))
    case SQLITE_BLOB: return .blob(bytes(sqlite3_column_blob(statement, index)))
    default: return .null
    }
  }
}

extension SecondReader {
  /// Everything a database holds, table by table and row by row, in an order that does not depend on how it
  /// got there; nil where there is no database.
  static func contents(of path: String, leavingOut table: String? = nil) throws -> [String]? {
    guard Files.exists(path) else { return nil }
    let reader = try SecondReader(path)
    let tables = try reader.tables
    guard !tables.isEmpty else { return nil }
    return try tables.filter { $0 != table }.flatMap { table in
      try [table] + reader.rows("SELECT * FROM \"\(table)\"").map { "\(table) \($0)" }.sorted()
    }
  }
}
