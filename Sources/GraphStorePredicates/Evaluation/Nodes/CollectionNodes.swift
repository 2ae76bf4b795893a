/// The collection of IN or CONTAINS, where it is a path: behind a to-one that leads nowhere a to-many has no
/// members, so that membership in it is false and never unknown (PRD-091).
final class MembersNode: ExpressionNode {
  private let path: KeyPathNode
  private let keys: [String]
  private let origin: [String]?

  /// Nil for an expression that is no path of several keys.
  ///
  /// - Parameter origin: The keys that lead from the object under test to where the path begins; nil where
  ///   that is not known.
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
    // A sub-query's variable denotes a missing member.
    guard let origin, case .source(let root) = pass.object else { return false }
    return root._leadsToCollection(keys, behind: origin)
  }
}

/// `collection[index]`.
final class IndexNode: ExpressionNode {
  enum Position {
    case first, last, size
    case at(ExpressionNode)
  }

  private let collection: ExpressionNode
  private let position: Position
  private let range: SourceRange?

  init(_ collection: ExpressionNode, _ position: Position, range: SourceRange?) {
    self.collection = collection
    self.position = position
    self.range = range
  }

  override func operand(_ pass: EvaluationPass) throws -> QueryOperand {
    let operand = try collection.operand(pass)
    if operand.isNull { return .null }
    if case .value(.dictionary(let values)) = operand {
      switch position {
      case .size: return .value(.int(Int64(values.count)))
      case .at(let key):
        guard case .value(.string(let key)) = try key.operand(pass) else { return .null }
        return .value(values[key] ?? .null)
      case .first, .last: return .null
      }
    }
    if case .source(let source) = operand, let values = source._dictionary {
      switch position {
      case .size: return .value(.int(Int64(values.count)))
      case .at(let key):
        guard case .value(.string(let key)) = try key.operand(pass) else { return .null }
        return try source._operand(forKey: PropertyKey(key))
      case .first, .last: return .null
      }
    }
    let members = operand.membersOrSelf
    if case .size = position { return .value(.int(Int64(members.count))) }
    if case .collection(_, isOrdered: false) = operand {
      throw QueryPredicateError(
        .unorderedCollection, "The collection has no order, so it has no position; only [SIZE] works.",
        range: range)
    }
    switch position {
    case .first: return members.first ?? .null
    case .last: return members.last ?? .null
    case .size: return .null
    case .at(let index):
      guard let offset = try index.operand(pass).value.truncatedNumber, offset >= 0, offset < members.count
      else { return .null }
      return members[Int(offset)]
    }
  }
}

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
