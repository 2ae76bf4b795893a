import Foundation
import GraphStorePredicates

/// The limits of an attribute in the form that a save checks on raw values, without making a `Value`.
///
/// Each test answers whether the value is allowed; what is wrong with one that is not,
/// ``AttributeDescription/validate(_:in:)`` reports. Limits count for values that are there; a missing value
/// is a matter of ``isRequired``.
package struct AttributeConstraints: Sendable {
  /// Whether a value must be there.
  package let isRequired: Bool
  /// Whether there is a limit for numbers or dates.
  package let checksNumber: Bool
  /// Whether there is a limit for the length of strings.
  package let checksLength: Bool
  /// Whether there is a pattern for strings.
  package let checksPattern: Bool
  /// Whether there are predicates over the value.
  package let checksPredicates: Bool
  /// The least and greatest whole number.
  package let integerRange: ClosedRange<Int64>
  /// The least and greatest number or date; a date in seconds from 2001-01-01 00:00 UTC.
  package let doubleRange: ClosedRange<Double>
  /// The least and greatest decimal, nil for none.
  package let decimalMinimum: Decimal?
  /// The greatest decimal, nil for none.
  package let decimalMaximum: Decimal?
  /// The least and greatest length in UTF-16 units.
  package let lengthRange: ClosedRange<Int>

  init(_ definition: AttributeDefinition, minimum: Value?, maximum: Value?) {
    isRequired = !definition.isOptional
    checksNumber = minimum != nil || maximum != nil
    checksLength = definition.minLength != nil || definition.maxLength != nil
    checksPattern = definition.pattern != nil
    checksPredicates = !definition.validations.isEmpty
    let integers = (minimum?.int ?? .min, maximum?.int ?? .max)
    integerRange = integers.0...max(integers.0, integers.1)
    let doubles = (minimum?.double ?? -.infinity, maximum?.double ?? .infinity)
    doubleRange = doubles.0...max(doubles.0, doubles.1)
    decimalMinimum = minimum?.decimal
    decimalMaximum = maximum?.decimal
    let lengths = (definition.minLength ?? 0, definition.maxLength ?? .max)
    lengthRange = lengths.0...max(lengths.0, lengths.1)
  }

  /// Whether nothing but the presence of a value is checked.
  package var isEmpty: Bool { !checksNumber && !checksLength && !checksPattern && !checksPredicates }

  /// Whether a value of a whole-number attribute is inside the limits.
  @inlinable
  package func allows(_ value: Int64) -> Bool { integerRange.contains(value) }

  /// Whether a value of a double, float or date attribute is inside the limits.
  @inlinable
  package func allows(_ value: Double) -> Bool { doubleRange.contains(value) }

  /// Whether a value of a decimal attribute is inside the limits.
  package func allows(_ value: Decimal) -> Bool {
    if let decimalMinimum, value < decimalMinimum { return false }
    if let decimalMaximum, value > decimalMaximum { return false }
    return true
  }

  /// Whether a string of so many UTF-8 bytes is inside the limits of length; nil when its UTF-16 units must
  /// be counted.
  @inlinable
  package func allows(utf8Count: Int) -> Bool? {
    // A UTF-16 unit takes one to three bytes of UTF-8.
    let least = (utf8Count + 2) / 3
    if lengthRange.contains(least), lengthRange.contains(utf8Count) { return true }
    if utf8Count < lengthRange.lowerBound || least > lengthRange.upperBound { return false }
    return nil
  }

  /// Whether a string of so many UTF-16 units is inside the limits of length.
  @inlinable
  package func allows(utf16Count: Int) -> Bool { lengthRange.contains(utf16Count) }
}

extension Value {
  fileprivate var int: Int64? {
    if case .int(let value) = self { return value }
    return nil
  }

  fileprivate var double: Double? {
    switch self {
    case .double(let value): value
    case .date(let value): value.timeIntervalSinceReferenceDate
    default: nil
    }
  }

  fileprivate var decimal: Decimal? {
    if case .decimal(let value) = self { return value }
    return nil
  }
}
