/// Treatment of missing values by a predicate.
///
/// In memory nil differs from every value; where stores are asked, a comparison with it is unknown:
///
/// ```swift
/// employee.badge = nil
/// let predicate = try QueryPredicate(parsing: "badge != 1")
/// let asInStores = EvaluationOptions(logic: .threeValued)
/// print(try predicate.evaluate(with: employee))  // true
/// print(try predicate.evaluate(with: employee, options: asInStores))  // false
/// ```
public enum PredicateLogic: Hashable, Sendable {
  /// Nil is a value like others: `x != 2` is true without x. For validation, filters and look-ups in memory.
  case twoValued
  /// A comparison with a missing value is unknown, as in SQL. For fetches and everything that follows them.
  case threeValued
}

/// A truth value of three-valued logic.
public enum _Ternary: UInt8, Hashable, Sendable {
  /// False.
  case no
  /// True.
  case yes
  /// Neither: a comparison met a missing value.
  case unknown

  /// True or false.
  public init(_ value: Bool) {
    self = value ? .yes : .no
  }

  /// True for `yes` alone.
  public var isTrue: Bool { self == .yes }
}

extension _Ternary {
  /// Negation: unknown stays unknown.
  public static prefix func ! (operand: _Ternary) -> _Ternary {
    switch operand {
    case .no: .yes
    case .yes: .no
    case .unknown: .unknown
    }
  }
}

/// The type's name in this package.
package typealias Ternary = _Ternary
