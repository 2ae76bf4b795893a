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
