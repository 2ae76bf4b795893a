/// The collection of IN or CONTAINS, where it is a path: behind a to-one that leads nowhere a to-many has no members, so
/// that membership in it is false and never unknown (PRD-091).
final class MembersNode: ExpressionNode {
  private let path: KeyPathNode
  private let keys: [String]
  private let origin: [String]?

  /// Nil for an expression that is no path of several keys.
  ///
  /// - Parameter origin: The keys that lead from the object under test to where the path begins; nil where that is not
  ///   known.
  init?(_ expression: ExpressionNode, origin: [String]?) {
    guard let path = expression as? KeyPathNode, let keys = path.keys else { return nil }
    self.path = path
    self.keys = keys
    self.origin = origin
  }

  override func operand(_ pass: EvaluationPass) throws -> QueryOperand {
    let found = try path.operand(pass)
    guard found.isNull, try leadsToCollection(pass) else { return found }
    return .collection([], isOrdered: false)
  }

  private func leadsToCollection(_ pass: EvaluationPass) throws -> Bool {
    if case .source(let source) = try path.start(pass) {
      return source._leadsToCollection(keys, behind: [])
    }
    // A sub-query's variable stands for a member that is missing.
    guard let origin, case .source(let root) = pass.object else { return false }
    return root._leadsToCollection(keys, behind: origin)
  }
}
