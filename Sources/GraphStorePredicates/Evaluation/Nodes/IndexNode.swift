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
