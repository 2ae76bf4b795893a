/// What an operator means for two operands.
class ComparisonRule {
  func truth(_ left: QueryOperand, _ right: QueryOperand, _ pass: EvaluationPass) throws -> Ternary { .unknown }
}
