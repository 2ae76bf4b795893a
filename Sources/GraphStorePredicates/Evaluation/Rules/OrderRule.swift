import Foundation

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

  override func truth(_ left: Operand, _ right: Operand, _ pass: EvaluationPass) -> Ternary {
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

/// `BETWEEN`, both bounds included.
final class BetweenRule: ComparisonRule {
  private let lower: OrderRule
  private let upper: OrderRule
  private let range: SourceRange?

  init(_ comparer: ValueComparer, range: SourceRange?) {
    lower = OrderRule(comparer, .orderedDescending, includesEqual: true)
    upper = OrderRule(comparer, .orderedAscending, includesEqual: true)
    self.range = range
  }

  override func truth(_ left: Operand, _ right: Operand, _ pass: EvaluationPass) throws -> Ternary {
    if right.isNull { return pass.isThreeValued ? .unknown : .no }
    guard let bounds = right.members, bounds.count == 2 else {
      throw QueryPredicateError(
        .typeMismatch, "BETWEEN wants a list of exactly two values on its right.", range: range,
        subject: right.value.literal)
    }
    let first = lower.truth(left, bounds[0], pass)
    if first == .no { return .no }
    let second = upper.truth(left, bounds[1], pass)
    if second == .no { return .no }
    return first == .unknown ? .unknown : second
  }
}
