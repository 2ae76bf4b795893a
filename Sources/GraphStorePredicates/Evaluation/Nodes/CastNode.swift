/// `CAST(operand, "type")`.
final class CastNode: ExpressionNode {
  private let argument: ExpressionNode
  private let type: QueryCastType

  init(_ argument: ExpressionNode, _ type: QueryCastType) {
    self.argument = argument
    self.type = type
  }

  override func operand(_ pass: EvaluationPass) throws -> QueryOperand {
    .value(try argument.operand(pass).value.cast(to: type))
  }
}
