import Foundation

/// Type of arguments of a predicate's format text, and of constants.
///
/// ```swift
/// enum Grade: Int, ValueConvertible {
///   case junior = 1, senior
///   var queryValue: Value { .int(Int64(rawValue)) }
/// }
/// let predicate = try QueryPredicate("badge == %@", Grade.senior)
/// ```
public protocol ValueConvertible {
  /// The value to compare with.
  var queryValue: Value { get }
}

extension Value: ValueConvertible {
  /// The value itself.
  public var queryValue: Value { self }
}

extension Bool: ValueConvertible {
  /// The Boolean as a value.
  public var queryValue: Value { .bool(self) }
}

extension Int: ValueConvertible {
  /// The integer as a value.
  public var queryValue: Value { .int(Int64(self)) }
}

extension Int8: ValueConvertible {
  /// The integer as a value.
  public var queryValue: Value { .int(Int64(self)) }
}

extension Int16: ValueConvertible {
  /// The integer as a value.
  public var queryValue: Value { .int(Int64(self)) }
}

extension Int32: ValueConvertible {
  /// The integer as a value.
  public var queryValue: Value { .int(Int64(self)) }
}

extension Int64: ValueConvertible {
  /// The integer as a value.
  public var queryValue: Value { .int(self) }
}

extension UInt: ValueConvertible {
  /// The integer as a value; beyond 64-bit signed integers a decimal.
  public var queryValue: Value { UInt64(self).queryValue }
}

extension UInt8: ValueConvertible {
  /// The integer as a value.
  public var queryValue: Value { .int(Int64(self)) }
}

extension UInt16: ValueConvertible {
  /// The integer as a value.
  public var queryValue: Value { .int(Int64(self)) }
}

extension UInt32: ValueConvertible {
  /// The integer as a value.
  public var queryValue: Value { .int(Int64(self)) }
}

extension UInt64: ValueConvertible {
  /// The integer as a value; beyond 64-bit signed integers a decimal.
  public var queryValue: Value {
    if let integer = Int64(exactly: self) { return .int(integer) }
    return .decimal(Decimal(self))
  }
}

extension Double: ValueConvertible {
  /// The number as a value.
  public var queryValue: Value { .double(self) }
}

extension Float: ValueConvertible {
  /// The number as a value.
  public var queryValue: Value { .double(Double(self)) }
}

extension Decimal: ValueConvertible {
  /// The decimal as a value.
  public var queryValue: Value { .decimal(self) }
}

extension String: ValueConvertible {
  /// The text as a value.
  public var queryValue: Value { .string(self) }
}

extension Substring: ValueConvertible {
  /// The text as a value.
  public var queryValue: Value { .string(String(self)) }
}

extension Date: ValueConvertible {
  /// The date as a value.
  public var queryValue: Value { .date(self) }
}

extension UUID: ValueConvertible {
  /// The UUID as a value.
  public var queryValue: Value { .uuid(self) }
}

extension URL: ValueConvertible {
  /// The URI as a value.
  public var queryValue: Value { .uri(self) }
}

extension Data: ValueConvertible {
  /// The bytes as a value.
  public var queryValue: Value { .data(self) }
}

extension ObjectReference: ValueConvertible {
  /// The reference as a value.
  public var queryValue: Value { .object(self) }
}
