import CGraphStoreSQLite

extension SQLiteConnection {
  /// The whole database as the bytes of a file, the transaction that is open included.
  public func image() throws(SQLiteError) -> [UInt8] {
    let database = try unsafe openHandle()
    var length: sqlite3_int64 = 0
    guard let bytes = unsafe sqlite3_serialize(database, "main", &length, 0) else {
      throw SQLiteError(code: .noMemory, message: "there is no memory for an image of the database")
    }
    defer { unsafe sqlite3_free(bytes) }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(length)))
  }

  /// The most columns that a table can have.
  public var columnLimit: Int {
    unsafe handle.map { unsafe Int(sqlite3_limit($0, SQLITE_LIMIT_COLUMN, -1)) } ?? 0
  }
}
