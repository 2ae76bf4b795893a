import CGraphStoreShims
import CGraphStoreSQLite

extension SQLiteStatement {
  /// Binds an integer.
  @inlinable
  @inline(__always)
  public func bind(_ value: Int64, at index: Int) throws(SQLiteError) {
    try unsafe check(sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: index), value))
  }

  /// Binds a number; SQLite turns NaN into NULL.
  @inlinable
  @inline(__always)
  public func bind(_ value: Double, at index: Int) throws(SQLiteError) {
    try unsafe check(sqlite3_bind_double(handle, Int32(truncatingIfNeeded: index), value))
  }

  /// Binds a date as its seconds since the beginning of 2001; a log of statements shows it as a date.
  @inlinable
  @inline(__always)
  public func bind(timestamp seconds: Double, at index: Int) throws(SQLiteError) {
    try bind(seconds, at: index)
    if gs_statement_log_level() > 1 { monitor.noteTimestamp(index, of: sql) }
  }

  /// Binds NULL.
  @inlinable
  @inline(__always)
  public func bindNull(at index: Int) throws(SQLiteError) {
    try unsafe check(sqlite3_bind_null(handle, Int32(truncatingIfNeeded: index)))
  }

  /// Binds a text that SQLite copies.
  @inlinable
  public func bind(_ value: String, at index: Int) throws(SQLiteError) {
    var value = value
    let code = value.withUTF8 { text in
      unsafe gs_sqlite3_bind_text_copy(handle, Int32(truncatingIfNeeded: index), text.baseAddress, text.count)
    }
    try check(code)
  }

  /// Binds UTF-8 that SQLite copies.
  @inlinable
  @inline(__always)
  public func bind(textCopying text: UnsafeBufferPointer<UInt8>, at index: Int) throws(SQLiteError) {
    try unsafe check(
      gs_sqlite3_bind_text_copy(handle, Int32(truncatingIfNeeded: index), text.baseAddress, text.count))
  }

  /// Binds UTF-8 that the caller keeps in place until the statement is reset or bound anew.
  @inlinable
  @inline(__always)
  public func bind(textInPlace text: UnsafeBufferPointer<UInt8>, at index: Int) throws(SQLiteError) {
    try unsafe check(
      gs_sqlite3_bind_text_static(handle, Int32(truncatingIfNeeded: index), text.baseAddress, text.count))
  }

  /// Binds bytes that SQLite copies.
  @inlinable
  @inline(__always)
  public func bind(blobCopying bytes: UnsafeRawBufferPointer, at index: Int) throws(SQLiteError) {
    try unsafe check(
      gs_sqlite3_bind_blob_copy(handle, Int32(truncatingIfNeeded: index), bytes.baseAddress, bytes.count))
  }

  /// Binds bytes that the caller keeps in place until the statement is reset or bound anew.
  @inlinable
  @inline(__always)
  public func bind(blobInPlace bytes: UnsafeRawBufferPointer, at index: Int) throws(SQLiteError) {
    try unsafe check(
      gs_sqlite3_bind_blob_static(handle, Int32(truncatingIfNeeded: index), bytes.baseAddress, bytes.count))
  }

  @inlinable
  @inline(__always)
  func check(_ code: Int32) throws(SQLiteError) {
    if code != SQLITE_OK { throw failure(code) }
  }
}
