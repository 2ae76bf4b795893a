import Foundation

/// A comparison with a constant, prepared so that an object can apply it to a field as it is stored in
/// memory, without making a ``Value`` of it.
///
/// Each answer is the one of the comparison for the value of the field; nil says that only the value itself
/// will do. Made by ``PredicateEvaluator`` and handed to ``_PropertySource/_truth(of:forKey:)``.
public final class _FieldTest {
  private enum Constant {
    case null, integer, double, decimal, date, text
    /// Data that are tested for being equal, by their size.
    case data
  }

  /// Whole numbers below this have at most 15 digits, which a double distinguishes.
  private static let sixteenDigits: UInt64 = 1_000_000_000_000_000

  /// The truth value for a field without value.
  public let missing: _Ternary
  /// The truth value for every field with a value, where the constant is nil.
  private let present: _Ternary
  private let constant: Constant
  private let accepted: AcceptedOrders
  private let integer: Int64
  private let double: Double
  /// The double nearest to a constant of at most 15 digits: decimals of as many compare with it as their
  /// doubles do.
  private let decimalBound: Double?
  private let text: TextTest?

  /// Prepares an operator, whose meaning a rule defines, and the constant on its right; nil for operators and
  /// constants that need the values.
  init?(
    _ comparison: QueryComparison, constant value: Value, rule: ComparisonRule, pass: EvaluationPass
  ) throws(QueryPredicateError) {
    var integer: Int64 = 0
    var double: Double = 0
    var text: TextTest?
    let accepted = AcceptedOrders(comparison.comparator)
    switch value {
    case .null where accepted != nil || Self.isTextOperator(comparison.comparator):
      constant = .null
    case .string(let pattern):
      text = TextTest(comparison, pattern)
      guard text != nil else { return nil }
      constant = .text
    case _ where accepted == nil:
      return nil
    case .bool(let flag):
      constant = .integer
      integer = flag ? 1 : 0
    case .int(let number):
      constant = .integer
      integer = number
    case .double(let number) where !number.isNaN:
      constant = .double
      double = number
    case .decimal(let number) where !number.isNaN:
      // A decimal between doubles means the nearest one when compared with them.
      let whole = DecimalNumeral(number)?.wholeNumber.flatMap { Int64(exactly: Double($0)) == $0 ? $0 : nil }
      constant = whole == nil ? .decimal : .integer
      integer = whole ?? 0
    case .date(let date) where !date.timeIntervalSinceReferenceDate.isNaN:
      constant = .date
      double = date.timeIntervalSinceReferenceDate
    case .data(let data) where comparison.comparator == .equal || comparison.comparator == .notEqual:
      constant = .data
      integer = Int64(data.count)
    default:
      return nil
    }
    self.accepted = accepted ?? .none
    self.integer = integer
    self.double = double
    self.text = text
    decimalBound = value.isNumber ? Self.decimalBound(value) : nil
    missing = try rule.truth(.null, .value(value), pass)
    present = try rule.truth(.value(.bool(true)), .value(value), pass)
  }

  private static func isTextOperator(_ comparator: QueryComparison.Operator) -> Bool {
    switch comparator {
    case .beginsWith, .endsWith, .contains, .like: true
    default: false
    }
  }

  private static func decimalBound(_ value: Value) -> Double? {
    guard let decimal = value.decimalNumber, let numeral = DecimalNumeral(decimal),
      numeral.significand < UInt128(sixteenDigits)
    else { return nil }
    return decimal.nearestDouble
  }

  // MARK: Fields

  /// The truth value for data of a size, where that alone decides: data of different sizes are not equal.
  public func truth(ofDataCount count: Int) -> _Ternary? {
    switch constant {
    case .null: present
    case .data: Int64(count) == integer ? nil : _Ternary(accepted.accept(Int64(count), integer))
    case .integer, .double, .decimal, .date, .text: nil
    }
  }

  /// The truth value for a whole number, or for a Boolean as 0 or 1.
  public func truth(ofInteger value: Int64) -> _Ternary? {
    switch constant {
    case .integer: _Ternary(accepted.accept(value, integer))
    case .double: ExactNumber.order(value, double).map { _Ternary(accepted.accept($0)) }
    case .null: present
    case .decimal, .date, .text, .data: nil
    }
  }

  /// The truth value for a floating-point number.
  public func truth(ofDouble value: Double) -> _Ternary? {
    if value.isNaN { return nil }
    return switch constant {
    case .double: _Ternary(accepted.accept(value, double))
    case .integer: ExactNumber.order(integer, value).map { _Ternary(accepted.accept($0.reversed)) }
    case .null: present
    case .decimal, .date, .text, .data: nil
    }
  }

  /// The truth value for a decimal that is a whole number.
  public func truth(ofWholeDecimal value: Int64) -> _Ternary? {
    switch constant {
    case .integer: return _Ternary(accepted.accept(value, integer))
    case .null: return present
    case .double, .decimal:
      guard let decimalBound, value.magnitude < Self.sixteenDigits else { return nil }
      return _Ternary(accepted.accept(Double(value), decimalBound))
    case .date, .text, .data: return nil
    }
  }

  /// The truth value for a decimal of at most 15 digits, passed as the double nearest to it.
  public func truth(ofDecimalNearest value: Double) -> _Ternary? {
    if constant == .null { return present }
    return decimalBound.map { _Ternary(accepted.accept(value, $0)) }
  }

  /// The truth value for a date in seconds from 2001-01-01 00:00 UTC.
  public func truth(ofDate seconds: Double) -> _Ternary? {
    if seconds.isNaN { return nil }
    return switch constant {
    case .date: _Ternary(accepted.accept(seconds, double))
    case .null: present
    case .integer, .double, .decimal, .text, .data: nil
    }
  }

  /// The truth value for a string, passed as well-formed UTF-8.
  public func truth(ofText value: UnsafeBufferPointer<UInt8>) -> _Ternary? {
    if let text { return unsafe _Ternary(text.accepts(value)) }
    return constant == .null ? present : nil
  }
}

/// The class's name in this package.
package typealias FieldTest = _FieldTest
