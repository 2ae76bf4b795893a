import Foundation

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
