import CGraphStoreShims
import CGraphStoreSQLite

extension SQLiteConnection {
  /// SQLite's own object, for calls that have no wrapper.
  ///
  /// - Throws: ``SQLiteErrorCode/misuse`` once the connection is closed.
  public func openHandle() throws(SQLiteError) -> OpaquePointer {
    guard let handle = unsafe handle else {
      throw SQLiteError(code: .misuse, message: "the connection is closed")
    }
    return unsafe handle
  }

  /// Runs one or several statements and ignores their rows.
  public func execute(_ sql: String) throws(SQLiteError) {
    let database = try unsafe openHandle()
    unsafe monitor.followLevel(database)
    let code = unsafe sqlite3_exec(database, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw unsafe monitor.failure(code, database: database, sql: sql) }
  }

  /// Prepares one statement that the caller keeps.
  ///
  /// - Parameters:
  ///   - sql: Exactly one statement.
  ///   - persistent: True for statements that are kept for long, which SQLite then allocates elsewhere.
  public func prepare(_ sql: String, persistent: Bool = false) throws(SQLiteError) -> SQLiteStatement {
    let database = try unsafe openHandle()
    unsafe monitor.followLevel(database)
    var text = sql
    var prepared: OpaquePointer?
    var hasTail = false
    let code = text.withUTF8 { bytes -> Int32 in
      unsafe bytes.withMemoryRebound(to: CChar.self) { bytes -> Int32 in
        var tail: UnsafePointer<CChar>?
        let code = unsafe gs_statement_prepare(
          database, bytes.baseAddress, Int32(clamping: bytes.count),
          persistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0, &prepared, &tail)
        if let tail = unsafe tail, let start = bytes.baseAddress {
          hasTail = unsafe bytes[(tail - start)...].contains { !Self.isBlank($0) }
        }
        return code
      }
    }
    guard code == SQLITE_OK else { throw unsafe monitor.failure(code, database: database, sql: sql) }
    guard let prepared = unsafe prepared else {
      throw SQLiteError(code: .misuse, message: "there is no statement in the text", sql: sql)
    }
    guard !hasTail else {
      unsafe sqlite3_finalize(prepared)
      throw SQLiteError(code: .misuse, message: "there is more than one statement in the text", sql: sql)
    }
    return unsafe SQLiteStatement(handle: prepared, sql: sql, monitor: monitor)
  }

  /// A kept statement of that text, or a new one; its parameters are NULL.
  ///
  /// Hand it back by ``recycle(_:)``. One that is not handed back is only prepared again the next time.
  public func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    if let database = unsafe handle, let kept = cache.checkOut(sql) {
      unsafe monitor.followLevel(database)
      return kept
    }
    return try prepare(sql, persistent: true)
  }

  /// Resets a statement that ``statement(_:)`` gave and keeps it for the next use.
  public func recycle(_ statement: SQLiteStatement) {
    guard unsafe handle != nil else { return }
    statement.reset()
    statement.clearBindings()
    cache.checkIn(statement)
  }

  /// Calls `body` with a kept statement and hands it back afterwards, whatever happens.
  public func withStatement<Result>(_ sql: String, _ body: (SQLiteStatement) throws -> Result) throws
    -> Result
  {
    let statement = try statement(sql)
    defer { recycle(statement) }
    return try body(statement)
  }

  /// The first column of the first row as an integer; nil without a row and for NULL.
  public func int64(_ sql: String) throws -> Int64? {
    try withStatement(sql) { try $0.step() && !$0.isNull(at: 0) ? $0.int64(at: 0) : nil }
  }

  /// The first column of the first row as a string; nil without a row and for NULL.
  public func string(_ sql: String) throws -> String? {
    try withStatement(sql) { try $0.step() ? $0.string(at: 0) : nil }
  }

  /// The number of statements that ``statement(_:)`` keeps now.
  public var cachedStatementCount: Int { cache.count }

  private static func isBlank(_ character: CChar) -> Bool {
    character == 0x20 || (character >= 0x09 && character <= 0x0d) || character == 0x3b
  }
}
