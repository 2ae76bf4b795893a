extension QueryPredicate {
  /// A new tree in which every expression has passed through a closure, children before parents.
  public func mapExpressions<Failure: Error>(
    _ transform: (QueryExpression) throws(Failure) -> QueryExpression
  ) throws(Failure) -> QueryPredicate {
    try map(predicate: { predicate throws(Failure) in predicate }, expression: transform)
  }

  /// A new tree in which every predicate has passed through a closure, those inside SUBQUERY and TERNARY too,
  /// children before parents.
  public func mapPredicates<Failure: Error>(
    _ transform: (QueryPredicate) throws(Failure) -> QueryPredicate
  ) throws(Failure) -> QueryPredicate {
    try map(predicate: transform, expression: { expression throws(Failure) in expression })
  }

  /// A new tree in which every predicate and every expression has passed through a closure, children before
  /// parents and left before right.
  public func map<Failure: Error>(
    predicate: (QueryPredicate) throws(Failure) -> QueryPredicate,
    expression: (QueryExpression) throws(Failure) -> QueryExpression
  ) throws(Failure) -> QueryPredicate {
    let parts = try rewritingParts(
      expression: { part throws(Failure) in try part.map(predicate: predicate, expression: expression) },
      predicate: { part throws(Failure) in try part.map(predicate: predicate, expression: expression) })
    return try predicate(parts ?? self)
  }
}

extension QueryExpression {
  /// A new tree in which every expression has passed through a closure, children before parents.
  public func map<Failure: Error>(
    _ transform: (QueryExpression) throws(Failure) -> QueryExpression
  ) throws(Failure) -> QueryExpression {
    try map(predicate: { predicate throws(Failure) in predicate }, expression: transform)
  }

  /// A new tree in which every predicate and every expression has passed through a closure, children before
  /// parents and left before right.
  public func map<Failure: Error>(
    predicate: (QueryPredicate) throws(Failure) -> QueryPredicate,
    expression: (QueryExpression) throws(Failure) -> QueryExpression
  ) throws(Failure) -> QueryExpression {
    let parts = try rewritingParts(
      expression: { part throws(Failure) in try part.map(predicate: predicate, expression: expression) },
      predicate: { part throws(Failure) in try part.map(predicate: predicate, expression: expression) })
    return try expression(parts ?? self)
  }
}
