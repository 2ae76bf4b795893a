/// A comparison of two operands.
final class ComparisonNode: PredicateNode {
  private let left: ExpressionNode
  private let right: ExpressionNode
  private let rule: ComparisonRule

  init(_ left: ExpressionNode, rule: ComparisonRule, right: ExpressionNode) {
    self.left = left
    self.rule = rule
    self.right = right
  }

  override func truth(_ pass: EvaluationPass) throws -> Ternary {
    try rule.truth(left.operand(pass), right.operand(pass), pass)
  }
}

/// A comparison for at least one, or for every, member of the left side. Never unknown.
final class QuantifiedNode: PredicateNode {
  private let left: ExpressionNode
  private let right: ExpressionNode
  private let rule: ComparisonRule
  private let isAll: Bool

  init(_ left: ExpressionNode, rule: ComparisonRule, right: ExpressionNode, isAll: Bool) {
    self.left = left
    self.rule = rule
    self.right = right
    self.isAll = isAll
  }

  override func truth(_ pass: EvaluationPass) throws -> Ternary {
    let members = try left.operand(pass).membersOrSelf
    let bound = try right.operand(pass)
    for member in members where try rule.truth(member, bound, pass).isTrue != isAll {
      return Ternary(!isAll)
    }
    return Ternary(isAll)
  }
}
