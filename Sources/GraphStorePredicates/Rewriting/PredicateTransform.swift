extension QueryPredicate {
  /// A new tree in which every expression has passed through a closure, children before parents.
  public func mapExpressions<Failure: Error>(
    _ transform: (QueryExpression) throws(Failure) -> QueryExpression
  ) throws(Failure) -> QueryPredicate {
    switch self {
    case .constant, .block: return self
    case .comparison(let comparison):
      return .comparison(
        QueryComparison(
          left: try comparison.left.map(transform), modifier: comparison.modifier,
          comparator: comparison.comparator, options: comparison.options,
          right: try comparison.right.map(transform), operatorRange: comparison.operatorRange))
    case .and(let members): return .and(try Self.map(members, transform))
    case .or(let members): return .or(try Self.map(members, transform))
    case .not(let operand): return .not(try operand.mapExpressions(transform))
    }
  }

  private static func map<Failure: Error>(
    _ members: [QueryPredicate], _ transform: (QueryExpression) throws(Failure) -> QueryExpression
  ) throws(Failure) -> [QueryPredicate] {
    var mapped: [QueryPredicate] = []
    mapped.reserveCapacity(members.count)
    for member in members { mapped.append(try member.mapExpressions(transform)) }
    return mapped
  }
}

extension QueryExpression {
  /// A new tree in which every expression has passed through a closure, children before parents.
  public func map<Failure: Error>(
    _ transform: (QueryExpression) throws(Failure) -> QueryExpression
  ) throws(Failure) -> QueryExpression {
    try transform(
      try mapParts(
        expression: { child throws(Failure) in try child.map(transform) },
        predicate: { child throws(Failure) in try child.mapExpressions(transform) }))
  }

  /// The same form with its direct parts replaced.
  func mapParts<Failure: Error>(
    expression: (QueryExpression) throws(Failure) -> QueryExpression,
    predicate: (QueryPredicate) throws(Failure) -> QueryPredicate
  ) throws(Failure) -> QueryExpression {
    func all(_ members: [QueryExpression]) throws(Failure) -> [QueryExpression] {
      var mapped: [QueryExpression] = []
      mapped.reserveCapacity(members.count)
      for member in members { mapped.append(try expression(member)) }
      return mapped
    }
    let mapped: Kind
    switch kind {
    case .constant, .evaluatedObject, .variable, .block: return self
    case .keyPath(let path):
      guard let base = path.base else { return self }
      mapped = .keyPath(QueryKeyPath(base: try expression(base), steps: path.steps))
    case .function(let function, let arguments): mapped = .function(function, try all(arguments))
    case .call(let target, let name, let arguments):
      mapped = .call(target: try expression(target), name: name, arguments: try all(arguments))
    case .cast(let operand, let type): mapped = .cast(try expression(operand), type)
    case .aggregate(let members): mapped = .aggregate(try all(members))
    case .subquery(let collection, let variable, let inner):
      mapped = .subquery(
        collection: try expression(collection), variable: variable, predicate: try predicate(inner))
    case .ternary(let condition, let then, let otherwise):
      mapped = .ternary(
        condition: try predicate(condition), then: try expression(then),
        otherwise: try expression(otherwise))
    case .index(let collection, let index):
      let base = try expression(collection)
      if case .at(let position) = index {
        mapped = .index(base, .at(try expression(position)))
      } else {
        mapped = .index(base, index)
      }
    case .setOperation(let setOperator, let left, let right):
      mapped = .setOperation(setOperator, try expression(left), try expression(right))
    case .fetch(let request, let context, let countOnly):
      mapped = .fetch(
        request: try expression(request), context: try expression(context),
        countOnly: try expression(countOnly))
    }
    return QueryExpression(mapped, sourceRange: sourceRange)
  }
}
