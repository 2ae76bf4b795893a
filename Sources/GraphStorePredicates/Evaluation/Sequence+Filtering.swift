extension Sequence where Element: PropertySource {
  /// The objects for which a predicate is true, in two-valued logic and in their order.
  public func filtered(
    by predicate: QueryPredicate, variables: [String: Value] = [:]
  ) throws -> [Element] {
    let evaluator = try PredicateEvaluator(predicate, variables: variables.mapValues(Operand.value))
    return try filter { try evaluator.evaluate($0) }
  }
}

extension Set where Element: PropertySource {
  /// The objects for which a predicate is true, in two-valued logic.
  public func filtered(
    by predicate: QueryPredicate, variables: [String: Value] = [:]
  ) throws -> Set<Element> {
    let evaluator = try PredicateEvaluator(predicate, variables: variables.mapValues(Operand.value))
    return try filter { try evaluator.evaluate($0) }
  }
}

extension Sequence where Element == Value {
  /// The values for which a predicate is true, in two-valued logic and in their order.
  public func filtered(
    by predicate: QueryPredicate, variables: [String: Value] = [:]
  ) throws -> [Element] {
    let evaluator = try PredicateEvaluator(predicate, variables: variables.mapValues(Operand.value))
    return try filter { try evaluator.evaluate(.value($0)) }
  }
}
