/// The kinds of value an attribute can hold; the raw value is the word used in model files.
///
/// ```swift
/// for attribute in try model.entity(named: "Employee").attributes where attribute.type.isNumber {
///   print(attribute.name, attribute.type.rawValue)
/// }
/// ```
public enum AttributeType: String, CaseIterable, Hashable, Sendable {
  /// Whole numbers from -32,768 to 32,767.
  case int16
  /// Whole numbers of 32 bits.
  case int32
  /// Whole numbers of 64 bits.
  case int64
  /// Decimal numbers of up to 38 significant digits.
  case decimal
  /// IEEE numbers of double precision.
  case double
  /// IEEE numbers of single precision.
  case float
  /// Unicode text.
  case string
  /// True or false.
  case boolean
  /// A point in time: seconds from 2001-01-01 00:00 UTC as a double.
  case date
  /// 16 bytes.
  case uuid
  /// An absolute or relative URL.
  case uri
  /// Bytes.
  case binary
  /// Any value, stored as bytes through a value transformer.
  case transformable
  /// A set of named element values.
  case composite
  /// Any value, never stored; for transient attributes only.
  case undefined

  /// Whether values are whole numbers of a fixed width.
  public var isInteger: Bool { self == .int16 || self == .int32 || self == .int64 }

  /// Whether values are numbers.
  public var isNumber: Bool {
    switch self {
    case .int16, .int32, .int64, .decimal, .double, .float: true
    default: false
    }
  }

  /// The range of a whole-number type, nil for every other type.
  public var integerRange: ClosedRange<Int64>? {
    switch self {
    case .int16: Int64(Int16.min)...Int64(Int16.max)
    case .int32: Int64(Int32.min)...Int64(Int32.max)
    case .int64: Int64.min...Int64.max
    default: nil
    }
  }
}
