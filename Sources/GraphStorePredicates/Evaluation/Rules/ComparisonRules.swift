import Foundation

/// Rule of an operator for two operands.
class ComparisonRule {
  func truth(
    _ left: QueryOperand, _ right: QueryOperand, _ pass: EvaluationPass
  ) throws(QueryPredicateError) -> Ternary {
    .unknown
  }
}

/// `==` and `!=`.
final class EqualityRule: ComparisonRule {
  private let comparer: ValueComparer
  private let isNegated: Bool
  /// Whether one side is the constant nil, so that the comparison tests for a missing value.
  private let testsMissing: Bool

  init(_ comparer: ValueComparer, isNegated: Bool, testsMissing: Bool) {
    self.comparer = comparer
    self.isNegated = isNegated
    self.testsMissing = testsMissing
  }

  override func truth(_ left: QueryOperand, _ right: QueryOperand, _ pass: EvaluationPass) -> Ternary {
    if pass.isThreeValued, left.isMissing || right.isMissing {
      guard testsMissing else { return .unknown }
      return Ternary((left.isMissing && right.isMissing) != isNegated)
    }
    return Ternary(comparer.areEqual(left, right) != isNegated)
  }
}

/// `<`, `<=`, `>` and `>=`.
final class OrderRule: ComparisonRule {
  private let comparer: ValueComparer
  private let wanted: ComparisonResult
  private let includesEqual: Bool

  init(_ comparer: ValueComparer, _ wanted: ComparisonResult, includesEqual: Bool) {
    self.comparer = comparer
    self.wanted = wanted
    self.includesEqual = includesEqual
  }

  override func truth(_ left: QueryOperand, _ right: QueryOperand, _ pass: EvaluationPass) -> Ternary {
    guard case .value(let left) = left, case .value(let right) = right else {
      return pass.isThreeValued && (left.isMissing || right.isMissing) ? .unknown : .no
    }
    return truth(left, right, pass)
  }

  func truth(_ left: Value, _ right: Value, _ pass: EvaluationPass) -> Ternary {
    if pass.isThreeValued {
      if left.isNull || right.isNull || left.isNaN || right.isNaN { return .unknown }
    } else if left.isNull, right.isNull {
      return Ternary(includesEqual)
    }
    guard let order = comparer.order(left, right) else { return .no }
    return Ternary(order == wanted || (includesEqual && order == .orderedSame))
  }
}

/// The orders of two values for which one of the operators `==`, `!=`, `<`, `<=`, `>` and `>=` holds.
struct AcceptedOrders {
  private static let ascending: UInt8 = 1
  private static let same: UInt8 = 2
  private static let descending: UInt8 = 4

  private let bits: UInt8

  /// The orders of an operator; nil for every other one.
  init?(_ comparator: QueryComparison.Operator) {
    switch comparator {
    case .equal: bits = Self.same
    case .notEqual: bits = Self.ascending | Self.descending
    case .less: bits = Self.ascending
    case .lessOrEqual: bits = Self.ascending | Self.same
    case .greater: bits = Self.descending
    case .greaterOrEqual: bits = Self.descending | Self.same
    default: return nil
    }
  }

  private init() { bits = 0 }

  /// No order at all.
  static let none = AcceptedOrders()

  /// Whether the operator holds for two numbers, neither of which is NaN.
  @inline(__always)
  func accept<Number: Comparable>(_ left: Number, _ right: Number) -> Bool {
    let order = left < right ? Self.ascending : left == right ? Self.same : Self.descending
    return bits & order != 0
  }

  /// Whether the operator holds for values of an order.
  func accept(_ order: ComparisonResult) -> Bool {
    switch order {
    case .orderedAscending: bits & Self.ascending != 0
    case .orderedSame: bits & Self.same != 0
    case .orderedDescending: bits & Self.descending != 0
    }
  }
}
