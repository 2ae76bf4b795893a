/// `left UNION right` and its kin: of lists of values again a list, so that it means what it means folded; of
/// members of relationships a set.
final class SetOperationNode: ExpressionNode {
  private let setOperator: QuerySetOperator
  private let left: ExpressionNode
  private let right: ExpressionNode
  private let comparer: ValueComparer

  init(
    _ setOperator: QuerySetOperator, left: ExpressionNode, right: ExpressionNode,
    comparer: ValueComparer
  ) {
    self.setOperator = setOperator
    self.left = left
    self.right = right
    self.comparer = comparer
  }

  override func operand(_ pass: EvaluationPass) throws -> QueryOperand {
    let leftOperand = try left.operand(pass)
    let rightOperand = try right.operand(pass)
    let first = leftOperand.membersOrSelf
    let second = rightOperand.membersOrSelf
    let members =
      switch setOperator {
      case .union: first + second
      case .intersect: first.filter { member in second.contains { comparer.areEqual(member, $0) } }
      case .minus: first.filter { member in !second.contains { comparer.areEqual(member, $0) } }
      }
    let distinct = Aggregation.distinct(members)
    if case (.value, .value) = (leftOperand, rightOperand) { return .value(.list(distinct.map(\.value))) }
    return .collection(distinct, isOrdered: false)
  }
}
