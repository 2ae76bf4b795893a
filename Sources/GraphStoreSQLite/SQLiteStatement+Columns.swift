import CGraphStoreSQLite

extension SQLiteStatement {
  /// The storage class of the value; read it before any accessor converts it.
  @inlinable
  @inline(__always)
  public func type(at index: Int) -> SQLiteType {
    unsafe SQLiteType(rawValue: sqlite3_column_type(handle, Int32(truncatingIfNeeded: index))) ?? .null
  }

  /// Whether there is no value.
  @inlinable
  @inline(__always)
  public func isNull(at index: Int) -> Bool {
    unsafe sqlite3_column_type(handle, Int32(truncatingIfNeeded: index)) == SQLITE_NULL
  }

  /// The value as an integer; 0 for NULL and for text that is no number.
  @inlinable
  @inline(__always)
  public func int64(at index: Int) -> Int64 {
    unsafe sqlite3_column_int64(handle, Int32(truncatingIfNeeded: index))
  }

  /// The value as a number; 0 for NULL and for text that is no number.
  @inlinable
  @inline(__always)
  public func double(at index: Int) -> Double {
    unsafe sqlite3_column_double(handle, Int32(truncatingIfNeeded: index))
  }

  /// The value as UTF-8, valid until the next step or reset; empty for NULL.
  @inlinable
  @inline(__always)
  public func text(at index: Int) -> UnsafeBufferPointer<UInt8> {
    let column = Int32(truncatingIfNeeded: index)
    let start = unsafe sqlite3_column_text(handle, column)
    return unsafe UnsafeBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
  }

  /// Calls `body` with the value as UTF-8.
  @inlinable
  @inline(__always)
  public func withText<Result>(at index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows
    -> Result
  {
    try unsafe body(text(at: index))
  }

  /// The value's bytes, valid until the next step or reset; empty for NULL.
  @inlinable
  @inline(__always)
  public func blob(at index: Int) -> UnsafeRawBufferPointer {
    let column = Int32(truncatingIfNeeded: index)
    let start = unsafe sqlite3_column_blob(handle, column)
    return unsafe UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
  }

  /// The value as a new string; nil for NULL. Bytes that are no UTF-8 become U+FFFD.
  @inlinable
  public func string(at index: Int) -> String? {
    unsafe isNull(at: index) ? nil : String(decoding: text(at: index), as: UTF8.self)
  }
}

/// Storage class of a value.
public enum SQLiteType: Int32, Sendable {
  /// A signed 64-bit integer.
  case integer = 1
  /// A 64-bit floating-point number.
  case real = 2
  /// UTF-8 text.
  case text = 3
  /// Bytes.
  case blob = 4
  /// No value.
  case null = 5
}
