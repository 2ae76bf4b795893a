/// The collection of IN or CONTAINS, where it is a path: behind a to-one that leads nowhere a to-many has no members, so
/// that membership in it is false and never unknown (PRD-091).
final class MembersNode: ExpressionNode {
  private let path: KeyPathNode
  private let keys: [String]

  /// Nil for an expression that is no path of several keys.
  init?(_ expression: ExpressionNode) {
    guard let path = expression as? KeyPathNode, let keys = path.keys, keys.count > 1 else { return nil }
    self.path = path
    self.keys = keys
  }

  override func operand(_ pass: EvaluationPass) throws -> Operand {
    let found = try path.operand(pass)
    guard found.isNull, case .source(let source) = try path.start(pass), source.leadsToCollection(keys) else {
      return found
    }
    return .collection([], isOrdered: false)
  }
}
