/// `left UNION right` and its kin.
final class SetOperationNode: ExpressionNode {
  private let setOperator: QuerySetOperator
  private let left: ExpressionNode
  private let right: ExpressionNode
  private let comparer: ValueComparer

  init(
    _ setOperator: QuerySetOperator, _ left: ExpressionNode, _ right: ExpressionNode,
    _ comparer: ValueComparer
  ) {
    self.setOperator = setOperator
    self.left = left
    self.right = right
    self.comparer = comparer
  }

  override func operand(_ pass: EvaluationPass) throws -> Operand {
    let first = try left.operand(pass).membersOrSelf
    let second = try right.operand(pass).membersOrSelf
    let members =
      switch setOperator {
      case .union: first + second
      case .intersect: first.filter { member in second.contains { comparer.areEqual(member, $0) } }
      case .minus: first.filter { member in !second.contains { comparer.areEqual(member, $0) } }
      }
    return .collection(Aggregation.distinct(members), isOrdered: false)
  }
}
