/// `FUNCTION(target, "name:", …)`.
final class CallNode: ExpressionNode {
  private let target: ExpressionNode
  private let arguments: [ExpressionNode]
  private let function: RegisteredFunction

  init(_ target: ExpressionNode, arguments: [ExpressionNode], function: RegisteredFunction) {
    self.target = target
    self.arguments = arguments
    self.function = function
  }

  override func operand(_ pass: EvaluationPass) throws -> QueryOperand {
    try function.result(target.operand(pass), arguments.map { try $0.operand(pass) })
  }
}
