import GraphStoreModel
import GraphStorePredicates

extension SQLTranslator {
  /// `path.@count`, `SUBQUERY(…).@sum.key` and their kin.
  func aggregate(_ path: QueryKeyPath) throws(SQLRefusal) -> SQLOperand {
    guard
      let place = path.steps.firstIndex(where: { if case .collectionOperator = $0 { true } else { false } }),
      case .collectionOperator(let name) = path.steps[place],
      let collectionOperator = ResolvedKeyPath.Operator(rawValue: name)
    else { throw SQLRefusal("the path is no single value") }
    let inner: QueryExpression
    if place == 0, let base = path.base {
      inner = base
    } else {
      inner = QueryExpression(.keyPath(QueryKeyPath(base: path.base, steps: Array(path.steps[..<place]))))
    }
    if collectionOperator == .count { return try count(of: inner) }
    var members = try collection(inner)
    let rest = Array(path.steps[(place + 1)...])
    if case .object(let node) = members.member, !rest.isEmpty {
      let resolved = try resolve(rest, from: node)
      guard resolved.collectionOperator == nil, !resolved.steps.contains(where: \.isToMany) else {
        throw SQLRefusal("nested collections are aggregated in memory")
      }
      members.member = try walk(resolved.steps, from: node)
    }
    return try aggregate(collectionOperator, over: members)
  }

  /// How many members a collection has.
  func count(of expression: QueryExpression) throws(SQLRefusal) -> SQLOperand {
    let members = try collection(expression)
    var operand = SQLOperand(.scalar(members.select(columns: [.call("COUNT", [])])), .integer)
    operand.isNeverNull = true
    return operand
  }

  func aggregate(
    _ collectionOperator: ResolvedKeyPath.Operator, over members: SQLCollection
  ) throws(SQLRefusal) -> SQLOperand {
    guard case .value(let value) = members.member, !value.isOpaque else {
      throw SQLRefusal("@\(collectionOperator.rawValue) over objects runs in memory")
    }
    let column = try require(dialect.aggregate(collectionOperator, over: value))
    let type: ExpressionType =
      switch collectionOperator {
      case .average: .double
      case .sum: value.type == .boolean ? .integer : value.type
      default: value.type
      }
    return SQLOperand(.scalar(members.select(columns: [column])), type)
  }

  /// `….@count` compared with 0 looks for one member only (PRD-241).
  func countTest(_ comparison: QueryComparison) throws(SQLRefusal) -> SQLExpression? {
    guard let left = countedCollection(comparison.left),
      case .int(0)? = comparison.right.constantValue
    else { return nil }
    let exists: Bool
    switch comparison.comparator {
    case .equal, .lessOrEqual: exists = false
    case .notEqual, .greater: exists = true
    default: return nil
    }
    let found = SQLExpression.exists(try collection(left).select())
    return exists ? found : .not(found)
  }

  private func countedCollection(_ expression: QueryExpression) -> QueryExpression? {
    guard case .keyPath(let path) = expression.kind,
      let place = path.steps.firstIndex(of: .collectionOperator("count"))
    else { return nil }
    if place == 0 { return path.base }
    return QueryExpression(.keyPath(QueryKeyPath(base: path.base, steps: Array(path.steps[..<place]))))
  }
}
