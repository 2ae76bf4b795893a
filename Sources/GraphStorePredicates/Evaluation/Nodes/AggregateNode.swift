/// `{a, b, c}` with members that are not all constant.
final class AggregateNode: ExpressionNode {
  private let members: [ExpressionNode]

  init(_ members: [ExpressionNode]) {
    self.members = members
  }

  override func operand(_ pass: EvaluationPass) throws -> QueryOperand {
    let operands = try members.map { try $0.operand(pass) }
    var values: [Value] = []
    values.reserveCapacity(operands.count)
    for operand in operands {
      guard case .value(let value) = operand else { return .collection(operands, isOrdered: true) }
      values.append(value)
    }
    return .value(.list(values))
  }

  override var memberIsConstant: [Bool]? { members.map { $0.constant != nil } }
}
