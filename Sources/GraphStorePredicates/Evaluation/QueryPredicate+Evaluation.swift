extension QueryPredicate {
  /// Whether the predicate is true for an object, in two-valued logic. For many objects prepare a
  /// ``PredicateEvaluator``.
  public func evaluate(
    with object: any PropertySource, variables: [String: Value] = [:]
  ) throws -> Bool {
    try evaluate(with: .source(object), variables: variables)
  }

  /// Whether the predicate is true for a value, a list or a dictionary, in two-valued logic.
  public func evaluate(with value: Value, variables: [String: Value] = [:]) throws -> Bool {
    try evaluate(with: .value(value), variables: variables)
  }

  /// Whether the predicate is true for an operand, in two-valued logic.
  public func evaluate(with operand: Operand, variables: [String: Value] = [:]) throws -> Bool {
    try PredicateEvaluator(self, variables: variables.mapValues(Operand.value)).evaluate(operand)
  }
}
