import Foundation

/// One value of a property, constant or result.
///
/// `==` and `hash(into:)` compare structure: an integer 1 differs from a double 1, strings are compared
/// scalar by scalar and NaN equals itself. The rules of predicates, in which 1 equals 1.0, are
/// ``isEqual(to:)`` and ``order(to:)``. The enum is 24 bytes wide at most.
///
/// ```swift
/// let badge = try employee.queryValue(forKey: "badge")
/// if case .int(let number) = badge { print(number) }  // 2
/// print(Value.int(1) == .double(1), Value.int(1).isEqual(to: .double(1)))  // false true
/// ```
public enum Value: Sendable {
  /// The missing value, nil.
  case null
  /// A truth value; counts as 0 or 1 among numbers.
  case bool(Bool)
  /// A 64-bit integer.
  case int(Int64)
  /// A double-precision number.
  case double(Double)
  /// A decimal number of up to 38 digits.
  case decimal(Decimal)
  /// A text, kept scalar by scalar.
  case string(String)
  /// A point in time, in seconds from 2001-01-01 00:00 UTC.
  case date(Date)
  /// A UUID.
  case uuid(UUID)
  /// A URI.
  case uri(URL)
  /// Bytes.
  case data(Data)
  /// An object, by its identifier.
  case object(ObjectReference)
  /// An ordered list.
  case list([Value])
  /// Values by name.
  case dictionary([String: Value])
}

extension Value {
  /// Whether the value is missing.
  public var isNull: Bool {
    if case .null = self { return true }
    return false
  }
}

extension Value: Hashable {
  /// Whether both are equal, as the type says.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.double(let left), .double(let right)):
      left.bitPattern == right.bitPattern || (left.isNaN && right.isNaN)
    case (.decimal(let left), .decimal(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameScalars(as: right)
    case (.date(let left), .date(let right)):
      left == right
        || left.timeIntervalSinceReferenceDate.isNaN && right.timeIntervalSinceReferenceDate.isNaN
    case (.uuid(let left), .uuid(let right)): left == right
    case (.uri(let left), .uri(let right)): left.absoluteString.hasSameScalars(as: right.absoluteString)
    case (.data(let left), .data(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
    default: false
    }
  }

  /// Feeds what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.isNaN ? Double.nan.bitPattern : value.bitPattern)
    case .decimal(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .date(let value):
      hasher.combine(value.timeIntervalSinceReferenceDate.isNaN ? .nan : value.timeIntervalSinceReferenceDate)
    case .uuid(let value): hasher.combine(value)
    case .uri(let value): hasher.combine(value.absoluteString)
    case .data(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    case .list(let value): hasher.combine(value)
    case .dictionary(let value): hasher.combine(value)
    }
  }
}
