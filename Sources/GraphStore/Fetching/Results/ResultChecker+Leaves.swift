import GraphStorePredicates

extension ResultChecker {
  /// A part of an expression that may differ among the rows of a group.
  struct Ungrouped: Error {
    var part: QueryExpression
  }

  /// Cuts the results into leaves and what is computed of these.
  mutating func addResults() throws {
    var offending: [String] = []
    for result in named {
      var expression = result.expression
      if query.isGrouped {
        do {
          expression = try overLeaves(result.expression)
        } catch is Ungrouped {
          offending.append(result.name)
          continue
        }
      } else {
        expression = leaf(.init(role: .value, expression: result.expression, type: result.type))
      }
      var added = ResultQuery.Result(name: result.name, expression: expression, type: result.type)
      added.attribute = result.attribute
      added.conversion = result.conversion
      if let aggregate = try RowAggregate(result.expression, checker) { added.type = aggregate.outcome }
      added.isSum = Self.isSum(result.expression)
      added.range = result.expression.sourceRange
      query.results.append(added)
    }
    guard let first = offending.first else { return }
    let names = offending.joined(separator: ", ")
    guard query.isTotal else {
      throw groupByRequired(
        "SELECT clauses in queries with GROUP BY components can only contain properties named in the GROUP BY or "
          + "aggregate functions (\(names)).", remedy: "Group by \(names) too, or aggregate.", first)
    }
    throw groupByRequired(
      "Aggregates stand beside values of single rows: \(names).",
      remedy: "Group by \(names), or leave \(offending.count == 1 ? "it" : "them") out.", first)
  }

  private static func isSum(_ expression: QueryExpression) -> Bool {
    switch expression.kind {
    case .function(.sum, _): true
    case .keyPath(let path): path.steps.contains(.collectionOperator("sum"))
    default: false
    }
  }

  /// The key of a leaf, which is added where it is not there.
  private mutating func leaf(_ leaf: ResultQuery.Leaf) -> QueryExpression {
    ResultQuery.leaf(position(of: leaf))
  }

  /// The position of a leaf, which is added where it is not there.
  mutating func position(of leaf: ResultQuery.Leaf) -> Int {
    if let known = query.leaves.firstIndex(of: leaf) { return known }
    query.leaves.append(leaf)
    return query.leaves.count - 1
  }

  /// An expression over the leaves: what groups have in common and aggregates become leaves.
  private mutating func overLeaves(_ expression: QueryExpression) throws -> QueryExpression {
    try rewritten(expression) ?? expression
  }

  private mutating func rewritten(_ expression: QueryExpression) throws -> QueryExpression? {
    if let key = query.leaves[..<query.keyCount].firstIndex(where: { $0.expression == expression }) {
      return ResultQuery.leaf(key)
    }
    if let aggregate = try RowAggregate(expression, checker) {
      return leaf(.init(aggregate))
    }
    switch expression.kind {
    case .evaluatedObject, .keyPath, .subquery, .variable, .fetch, .block: throw Ungrouped(part: expression)
    default: break
    }
    var copy = self
    let result = try expression.rewritingParts(
      expression: { try copy.rewritten($0) }, predicate: { try copy.rewritten($0) })
    self = copy
    return result
  }

  /// A condition over the leaves; nil where it has none.
  mutating func rewritten(_ predicate: QueryPredicate) throws -> QueryPredicate? {
    var copy = self
    let result = try predicate.rewritingParts(
      expression: { try copy.rewritten($0) }, predicate: { try copy.rewritten($0) })
    self = copy
    return result
  }
}

extension ResultQuery.Leaf {
  /// The leaf of an aggregate.
  init(_ aggregate: RowAggregate) {
    self.init(
      role: .aggregate(aggregate.function, isDistinct: aggregate.isDistinct), expression: aggregate.argument,
      type: aggregate.type)
  }
}
