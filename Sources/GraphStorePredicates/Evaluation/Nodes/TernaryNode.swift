/// `TERNARY(condition, then, otherwise)`.
final class TernaryNode: ExpressionNode {
  private let condition: PredicateNode
  private let then: ExpressionNode
  private let otherwise: ExpressionNode

  init(_ condition: PredicateNode, then: ExpressionNode, otherwise: ExpressionNode) {
    self.condition = condition
    self.then = then
    self.otherwise = otherwise
  }

  override func operand(_ pass: EvaluationPass) throws -> QueryOperand {
    try condition.truth(pass).isTrue ? then.operand(pass) : otherwise.operand(pass)
  }
}
