import Foundation

/// `BETWEEN`, both bounds included.
final class BetweenRule: ComparisonRule {
  private let lower: OrderRule
  private let upper: OrderRule
  private let range: SourceRange?

  /// Takes which of two bounds that are not both constant is one.
  init(_ comparer: ValueComparer, range: SourceRange?, boundIsConstant: [Bool]? = nil) {
    let lowerIsConstant = boundIsConstant?.first ?? comparer.rightIsConstant
    let upperIsConstant = boundIsConstant?.last ?? comparer.rightIsConstant
    lower = OrderRule(
      comparer.comparingConstant(lowerIsConstant), .orderedDescending, includesEqual: true)
    upper = OrderRule(comparer.comparingConstant(upperIsConstant), .orderedAscending, includesEqual: true)
    self.range = range
  }

  override func truth(
    _ left: QueryOperand, _ right: QueryOperand, _ pass: EvaluationPass
  ) throws(QueryPredicateError) -> Ternary {
    if right.isNull { return pass.isThreeValued ? .unknown : .no }
    let bounds = try Self.bounds(right, range: range)
    let first = lower.truth(left, bounds[0], pass)
    if first == .no { return .no }
    let second = upper.truth(left, bounds[1], pass)
    if second == .no { return .no }
    return first == .unknown ? .unknown : second
  }

  /// The two bounds that a list holds.
  @discardableResult
  static func bounds(_ list: QueryOperand, range: SourceRange?) throws(QueryPredicateError) -> [QueryOperand]
  {
    guard let bounds = list.members, bounds.count == 2 else {
      throw QueryPredicateError(
        .typeMismatch, "BETWEEN wants a list of exactly two values on its right.", range: range,
        subject: list.value.literal)
    }
    return bounds
  }
}
