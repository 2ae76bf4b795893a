/// A function of arithmetic with two operands. A floating constant that meets a decimal counts as a decimal.
final class ArithmeticNode: ExpressionNode {
  private let function: QueryFunction
  private let left: ExpressionNode
  private let right: ExpressionNode
  private let leftIsFloat: Bool
  private let rightIsFloat: Bool

  init(_ function: QueryFunction, left: ExpressionNode, right: ExpressionNode) {
    self.function = function
    self.left = left
    self.right = right
    leftIsFloat = left.constant?.isDouble ?? false
    rightIsFloat = right.constant?.isDouble ?? false
  }

  override func operand(_ pass: EvaluationPass) throws -> QueryOperand {
    guard case .value(var leftValue) = try left.operand(pass),
      case .value(var rightValue) = try right.operand(pass)
    else { return .null }
    if leftIsFloat, case .decimal = rightValue { leftValue = leftValue.shortestDecimal }
    if rightIsFloat, case .decimal = leftValue { rightValue = rightValue.shortestDecimal }
    return .value(Arithmetic.binary(function, leftValue, rightValue))
  }
}
