/// What an operator means for two operands.
class ComparisonRule {
  func truth(_ left: Operand, _ right: Operand, _ pass: EvaluationPass) throws -> Ternary { .unknown }
}
