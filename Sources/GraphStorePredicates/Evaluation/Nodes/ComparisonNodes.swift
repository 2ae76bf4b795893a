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

/// A comparison of a key with a constant, the commonest comparison: an object that can applies it to its
/// field as it is stored in memory, and only where it cannot is the value read.
final class FieldComparisonNode: PredicateNode {
  /// Whose key it is; nil is the object under test.
  private let owner: ExpressionNode?
  private let key: PropertyKey
  private let range: SourceRange?
  private let test: FieldTest
  private let rule: ComparisonRule
  private let bound: QueryOperand

  init(
    owner: ExpressionNode?, key: String, range: SourceRange?, _ test: FieldTest, _ rule: ComparisonRule,
    bound: QueryOperand
  ) {
    self.owner = owner
    self.key = PropertyKey(key)
    self.range = range
    self.test = test
    self.rule = rule
    self.bound = bound
  }

  override func truth(of source: any PropertySource, _ pass: EvaluationPass) throws -> Ternary {
    if owner != nil {
      pass.object = .source(source)
      return try truth(pass)
    }
    if let truth = try source._truth(of: test, forKey: key) { return truth }
    return try rule.truth(KeyWalk.operand(of: source, key, range), bound, pass)
  }

  override func truth(_ pass: EvaluationPass) throws -> Ternary {
    let owner = try owner?.operand(pass) ?? pass.object
    if case .source(let source) = owner, let truth = try source._truth(of: test, forKey: key) { return truth }
    return try rule.truth(KeyWalk.operand(of: owner, key, range), bound, pass)
  }
}
