/// `FUNCTION(target, "name:", …)`.
final class CallNode: ExpressionNode {
  private let target: ExpressionNode
  private let arguments: [ExpressionNode]
  private let body: PredicateFunctions.Body

  init(_ target: ExpressionNode, _ arguments: [ExpressionNode], _ body: @escaping PredicateFunctions.Body) {
    self.target = target
    self.arguments = arguments
    self.body = body
  }

  override func operand(_ pass: EvaluationPass) throws -> Operand {
    try body(target.operand(pass), arguments.map { try $0.operand(pass) })
  }
}
