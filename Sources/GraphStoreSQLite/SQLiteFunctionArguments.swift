import CGraphStoreSQLite

/// The arguments of one call of an SQL function; valid during that call.
@safe public struct SQLiteFunctionArguments {
  @usableFromInline let context: OpaquePointer
  @usableFromInline let values: UnsafeMutablePointer<OpaquePointer?>?
  /// The number of arguments.
  public let count: Int

  @usableFromInline
  init(context: OpaquePointer, count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?) {
    unsafe self.context = unsafe context
    unsafe self.values = unsafe values
    self.count = Int(count)
  }

  @inlinable
  @inline(__always)
  func value(_ index: Int) -> OpaquePointer? {
    guard let values = unsafe values, index >= 0, index < count else { return nil }
    return unsafe values[index]
  }

  /// The storage class of an argument.
  @inlinable
  public func type(at index: Int) -> SQLiteType {
    guard let value = unsafe value(index) else { return .null }
    return unsafe SQLiteType(rawValue: sqlite3_value_type(value)) ?? .null
  }

  /// Whether there is no value.
  @inlinable
  public func isNull(at index: Int) -> Bool { type(at: index) == .null }

  /// The argument as an integer.
  @inlinable
  public func int64(at index: Int) -> Int64 { unsafe value(index).map(sqlite3_value_int64) ?? 0 }

  /// The argument as a number.
  @inlinable
  public func double(at index: Int) -> Double { unsafe value(index).map(sqlite3_value_double) ?? 0 }

  /// The argument as UTF-8; empty for NULL.
  @inlinable
  public func text(at index: Int) -> UnsafeBufferPointer<UInt8> {
    guard let value = unsafe value(index), let start = unsafe sqlite3_value_text(value) else {
      return unsafe UnsafeBufferPointer(start: nil, count: 0)
    }
    return unsafe UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  /// The argument's bytes; empty for NULL.
  @inlinable
  public func blob(at index: Int) -> UnsafeRawBufferPointer {
    guard let value = unsafe value(index), let start = unsafe sqlite3_value_blob(value) else {
      return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  /// The object made from a constant argument the first time, such as a compiled pattern.
  ///
  /// SQLite keeps the object for the run of the statement if the argument is a constant or a parameter, and
  /// forgets it otherwise, so that `make` is called again. One position must always be used with one type.
  public func cached<Object: AnyObject>(at index: Int, _ make: () throws -> Object) rethrows -> Object {
    let position = Int32(truncatingIfNeeded: index)
    if let kept = unsafe sqlite3_get_auxdata(context, position) {
      return unsafe Unmanaged<Object>.fromOpaque(kept).takeUnretainedValue()
    }
    let made = try make()
    unsafe sqlite3_set_auxdata(context, position, Unmanaged.passRetained(made).toOpaque()) { kept in
      if let kept = unsafe kept { unsafe Unmanaged<AnyObject>.fromOpaque(kept).release() }
    }
    return made
  }
}
