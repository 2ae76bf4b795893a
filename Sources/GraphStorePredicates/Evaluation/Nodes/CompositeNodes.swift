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

/// `SUBQUERY(collection, $variable, predicate)`.
final class SubqueryNode: ExpressionNode {
  private let collection: ExpressionNode
  private let slot: Int
  private let predicate: PredicateNode

  init(_ collection: ExpressionNode, slot: Int, _ predicate: PredicateNode) {
    self.collection = collection
    self.slot = slot
    self.predicate = predicate
  }

  override func operand(_ pass: EvaluationPass) throws -> QueryOperand {
    let operand = try collection.operand(pass)
    var isOrdered = true
    if case .collection(_, let ordered) = operand { isOrdered = ordered }
    let outer = pass.slots[slot]
    defer { pass.slots[slot] = outer }
    let selected = try operand.membersOrSelf.filter { member in
      try pass.countStep()
      pass.slots[slot] = member
      return try predicate.truth(pass).isTrue
    }
    return .collection(selected, isOrdered: isOrdered)
  }
}

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
