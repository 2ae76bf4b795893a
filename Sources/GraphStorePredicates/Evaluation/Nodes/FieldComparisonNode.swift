/// A comparison of a key with a constant, the commonest comparison: an object that can applies it to its
/// field as it lies in memory, and only where it cannot is the value read.
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
