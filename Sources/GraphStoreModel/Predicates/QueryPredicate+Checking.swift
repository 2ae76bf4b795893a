import GraphStorePredicates

extension QueryPredicate {
  /// Every problem of keys, types and paths that the predicate has with an entity, in the order of its text,
  /// without evaluating it; empty when there is none. Variables without a value pass.
  ///
  /// - Parameters:
  ///   - entity: The entity whose objects the predicate is meant for.
  ///   - source: The predicate's text: the problems then carry line and column.
  public func check(against entity: EntityDescription, source: String? = nil) -> [QueryPredicateError] {
    var checker = PredicateTypeChecker(entity: entity, source: source)
    checker.allowsVariables = true
    return checker.problems(in: self)
  }
}
