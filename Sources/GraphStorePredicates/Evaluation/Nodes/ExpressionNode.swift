/// Node of a compiled expression.
class ExpressionNode {
  /// The value of the expression for the object of a pass.
  func operand(_ pass: EvaluationPass) throws -> QueryOperand { .null }

  /// Marks the expression as a result: a sum of integers that is one throws beyond 64 bits, while inside
  /// conditions and calculations it counts on as a decimal.
  func becomeResult() {}

  /// The value, when it is the same for every object.
  var constant: Value? { nil }

  /// The value of the expression, when it is the same for every object.
  var constantOperand: QueryOperand? { nil }

  /// Marks the members that are constants, for a list that is made of members.
  var memberIsConstant: [Bool]? { nil }
}

/// A constant, or a variable with a value.
final class ConstantNode: ExpressionNode {
  private let result: QueryOperand

  init(_ value: Value) {
    result = .value(value)
  }

  init(_ operand: QueryOperand) {
    result = operand
  }

  override func operand(_ pass: EvaluationPass) -> QueryOperand { result }

  override var constant: Value? {
    if case .value(let value) = result { return value }
    return nil
  }

  override var constantOperand: QueryOperand? { result }
}

/// SELF.
final class EvaluatedObjectNode: ExpressionNode {
  override func operand(_ pass: EvaluationPass) -> QueryOperand { pass.object }
}

/// The variable of a sub-query.
final class SlotNode: ExpressionNode {
  private let slot: Int

  init(_ slot: Int) {
    self.slot = slot
  }

  override func operand(_ pass: EvaluationPass) -> QueryOperand { pass.slots[slot] }
}

/// A closure.
final class BlockNode: ExpressionNode {
  private let block: ExpressionBlock

  init(_ block: ExpressionBlock) {
    self.block = block
  }

  override func operand(_ pass: EvaluationPass) throws -> QueryOperand {
    try block(pass.object, pass.variables)
  }
}
