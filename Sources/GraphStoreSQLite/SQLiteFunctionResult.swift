import CGraphStoreShims
import CGraphStoreSQLite

/// Where an SQL function puts its result; nothing put there means NULL. Valid during the call.
@safe public struct SQLiteFunctionResult {
  @usableFromInline let context: OpaquePointer

  @usableFromInline
  init(context: OpaquePointer) {
    unsafe self.context = unsafe context
  }

  /// The result is NULL.
  @inlinable
  public func setNull() { unsafe sqlite3_result_null(context) }

  /// The result is an integer.
  @inlinable
  public func set(_ value: Int64) { unsafe sqlite3_result_int64(context, value) }

  /// The result is 1 or 0.
  @inlinable
  public func set(_ value: Bool) { unsafe sqlite3_result_int(context, value ? 1 : 0) }

  /// The result is a number.
  @inlinable
  public func set(_ value: Double) { unsafe sqlite3_result_double(context, value) }

  /// The result is UTF-8, copied.
  @inlinable
  public func set(text: UnsafeBufferPointer<UInt8>) {
    unsafe gs_sqlite3_result_text_copy(context, text.baseAddress, text.count)
  }

  /// The result is a string, copied.
  @inlinable
  public func set(_ value: String) {
    var value = value
    value.withUTF8 { unsafe set(text: $0) }
  }

  /// The result is bytes, copied.
  @inlinable
  public func set(blob: UnsafeRawBufferPointer) {
    unsafe gs_sqlite3_result_blob_copy(context, blob.baseAddress, blob.count)
  }

  /// The statement fails with an error; a damaged value makes it one of damage.
  func setError(_ error: any Error) {
    guard let damage = error as? SQLiteDamagedValue else { return setError("\(error)") }
    setError(damage.message)
    // Not SQLITE_CORRUPT itself, after which SQLite lets the connection write no more.
    unsafe sqlite3_result_error_code(context, SQLITE_CORRUPT | (1 << 8))
  }

  /// The statement fails with this message.
  public func setError(_ message: String) {
    unsafe sqlite3_result_error(context, message, -1)
  }
}
