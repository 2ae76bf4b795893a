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
