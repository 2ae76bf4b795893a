/// MATCHES. An invalid constant pattern throws when the rule is made; one from a key makes the comparison false.
final class MatchesRule: ComparisonRule {
  private let options: QueryComparison.Options
  private var pattern: String?
  private(set) var expression: RegularExpression?

  init(options: QueryComparison.Options, constantPattern: Value?) throws(QueryPredicateError) {
    self.options = options
    if case .string(let pattern) = constantPattern {
      expression = try RegularExpression(pattern, options: options)
      self.pattern = pattern
    }
  }

  override func truth(_ left: QueryOperand, _ right: QueryOperand, _ pass: EvaluationPass) -> Ternary {
    if left.isNull || right.isNull { return pass.isThreeValued ? .unknown : .no }
    guard case .value(.string(let text)) = left, case .value(.string(let pattern)) = right else { return .no }
    if self.pattern.map({ !$0.hasSameScalars(as: pattern) }) ?? true {
      self.pattern = pattern
      expression = try? RegularExpression(pattern, options: options)
    }
    return Ternary(expression?.matches(text) ?? false)
  }
}
