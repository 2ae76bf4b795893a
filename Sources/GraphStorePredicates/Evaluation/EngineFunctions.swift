import Foundation

/// Functions, casts and comparisons of single values, for engines that compute them row by row: what they
/// yield there is what evaluation in memory yields, since it is the same code.
package enum EngineFunctions {
  /// A function of one value; nil yields nil.
  package static func value(of function: QueryFunction, _ argument: Value) -> Value {
    guard !argument.isNull, let body = ValueFunctions.body(function) else { return .null }
    return body(argument)
  }

  /// What computes a function of several values, any of which may be missing; nil for a function that is
  /// none. An engine asks once, and calls it for each row.
  package static func bodyOfSeveral(_ function: QueryFunction) -> (([Value]) -> Value)? {
    ValueFunctions.bodyOfSeveral(function)
  }

  /// What computes a part of a date in UTC from its seconds since 2001, the year for example; nil for a
  /// function that is none. It is the same code without a value for each row.
  package static func partOfDate(_ function: QueryFunction) -> ((Double) -> Int64?)? {
    DateFunctions.partInUTC(function)
  }

  /// Arithmetic between two values. A floating constant that meets a decimal counts as a decimal (PRD-062).
  package static func value(
    of function: QueryFunction, left: Value, right: Value, leftIsConstant: Bool, rightIsConstant: Bool
  ) -> Value {
    var left = left
    var right = right
    if leftIsConstant, case .decimal = right { left = left.shortestDecimal }
    if rightIsConstant, case .decimal = left { right = right.shortestDecimal }
    return Arithmetic.value(of: function, left: left, right: right)
  }

  /// The aggregate of several values.
  package static func value(of function: QueryFunction, over values: [Value]) -> Value {
    Aggregation.value(of: function, over: values)
  }

  /// The sum, or the mean, of decimals of which some were summed up already.
  package static func value(
    of function: QueryFunction, over values: [Value], besides sum: Decimal, of count: Int
  ) -> Value {
    guard count > 0 else { return value(of: function, over: values) }
    let parts = [.decimal(sum)] + values.filter { !$0.isNull }
    guard function == .average else { return Aggregation.sum(parts) }
    return DecimalAccumulator(parts)?.mean(of: count + parts.count - 1).map(Value.decimal) ?? .null
  }

  /// The order of two values that are there; nil where they have none.
  package static func order(
    _ left: Value, _ right: Value, leftIsConstant: Bool, rightIsConstant: Bool
  ) -> ComparisonResult? {
    ValueComparer(
      options: [], locale: Locale(identifier: ""), leftIsConstant: leftIsConstant,
      rightIsConstant: rightIsConstant
    ).order(left, right)
  }

  /// A constant as the decimal it counts as where it meets decimals; unchanged where there is none.
  package static func decimalConstant(_ value: Value) -> Value { value.shortestDecimal }
}

/// CONTAINS, BEGINSWITH, ENDSWITH or LIKE with its last pattern kept prepared, for engines; texts of a locale
/// and runs of bytes included.
package final class EngineTextTest {
  private let test: SubstringTest

  /// Prepares an operator.
  package init(_ operation: TextMatcher.Operation, options: QueryComparison.Options, locale: Locale) {
    test = SubstringTest(operation, options: options, locale: locale)
  }

  /// Prepares an operator for runs of bytes. These need no locale, which takes Foundation long to make the
  /// first time.
  package init(bytes operation: TextMatcher.Operation) {
    test = SubstringTest(operation, options: [], locale: nil)
  }

  /// Whether a part occurs in a text or run of bytes as the operator wants it.
  package func matches(_ container: Value, _ part: Value) -> Bool { test.matches(container, part) }
}
