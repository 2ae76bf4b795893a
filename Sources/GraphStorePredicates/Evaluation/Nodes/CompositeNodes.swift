/// `{a, b, c}` with members that are not all constant.
final class AggregateNode: ExpressionNode {
  private let members: [ExpressionNode]

  init(_ members: [ExpressionNode]) {
    self.members = members
  }

  override func operand(_ pass: EvaluationPass) throws -> Operand {
    let operands = try members.map { try $0.operand(pass) }
    var values: [Value] = []
    values.reserveCapacity(operands.count)
    for operand in operands {
      guard case .value(let value) = operand else { return .collection(operands, isOrdered: true) }
      values.append(value)
    }
    return .value(.list(values))
  }
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

  override func operand(_ pass: EvaluationPass) throws -> Operand {
    let operand = try collection.operand(pass)
    var isOrdered = true
    if case .collection(_, let ordered) = operand { isOrdered = ordered }
    let outer = pass.slots[slot]
    defer { pass.slots[slot] = outer }
    let selected = try operand.membersOrSelf.filter { member in
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

  init(_ condition: PredicateNode, _ then: ExpressionNode, _ otherwise: ExpressionNode) {
    self.condition = condition
    self.then = then
    self.otherwise = otherwise
  }

  override func operand(_ pass: EvaluationPass) throws -> Operand {
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

  override func operand(_ pass: EvaluationPass) throws -> Operand {
    .value(try argument.operand(pass).value.cast(to: type))
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

  override func operand(_ pass: EvaluationPass) throws -> Operand {
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

/// `FUNCTION(target, "name:", …)`.
final class CallNode: ExpressionNode {
  private let target: ExpressionNode
  private let arguments: [ExpressionNode]
  private let body: PredicateFunctions.Body

  init(_ target: ExpressionNode, _ arguments: [ExpressionNode], _ body: @escaping PredicateFunctions.Body) {
    self.target = target
    self.arguments = arguments
    self.body = body
  }

  override func operand(_ pass: EvaluationPass) throws -> Operand {
    try body(target.operand(pass), arguments.map { try $0.operand(pass) })
  }
}

/// `FETCH(request, context, countOnly)`.
final class FetchNode: ExpressionNode {
  private let request: ExpressionNode
  private let context: ExpressionNode
  private let countOnly: ExpressionNode
  private let fetch: (Operand, Operand, Bool) throws -> Operand

  init(
    _ request: ExpressionNode, _ context: ExpressionNode, _ countOnly: ExpressionNode,
    _ fetch: @escaping (Operand, Operand, Bool) throws -> Operand
  ) {
    self.request = request
    self.context = context
    self.countOnly = countOnly
    self.fetch = fetch
  }

  override func operand(_ pass: EvaluationPass) throws -> Operand {
    let isCount = try countOnly.operand(pass).value.isEqual(to: .bool(true))
    return try fetch(request.operand(pass), context.operand(pass), isCount)
  }
}
