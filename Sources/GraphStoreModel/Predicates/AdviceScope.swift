import GraphStorePredicates

/// What key paths lead to while a predicate is looked through for advice.
struct AdviceScope {
  let checker: PredicateTypeChecker
  private var members: [String: ExpressionType] = [:]

  init(_ checker: PredicateTypeChecker) {
    self.checker = checker
  }

  /// What an expression that is a key path leads to; nil for every other expression, and where it is not known.
  func path(of expression: QueryExpression) -> ResolvedKeyPath? {
    guard case .keyPath(let path) = expression.kind else { return nil }
    var start = ExpressionType.object(checker.entity)
    if let base = path.base {
      guard case .variable(let name) = base.kind, let member = members[name] else { return nil }
      start = member
    }
    return try? KeyPathResolver().resolve(path.steps, from: start)
  }

  /// The scope inside of a sub-query, where its variable is a member of the collection.
  func adding(_ variable: String, memberOf collection: QueryExpression) -> AdviceScope {
    var inner = self
    inner.members[variable] = path(of: collection)?.type.member
    return inner
  }
}
