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
