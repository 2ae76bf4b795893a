extension QueryPredicate {
  /// Whether the predicate is true for an object, in two-valued logic unless the options say otherwise. For many objects prepare a
  /// ``PredicateEvaluator``.
  public func evaluate(
    with object: any _PropertySource, variables: [String: Value] = [:], options: EvaluationOptions = .init()
  ) throws -> Bool {
    try evaluate(with: .source(object), variables: variables, options: options)
  }

  /// Whether the predicate is true for a value, a list or a dictionary, in two-valued logic unless the options
  /// say otherwise.
  public func evaluate(
    with value: Value, variables: [String: Value] = [:], options: EvaluationOptions = .init()
  ) throws -> Bool {
    try evaluate(with: .value(value), variables: variables, options: options)
  }

  /// Whether the predicate is true for an operand, in two-valued logic unless the options say otherwise.
  public func evaluate(
    with operand: QueryOperand, variables: [String: Value] = [:], options: EvaluationOptions = .init()
  ) throws -> Bool {
    try PredicateEvaluator(self, values: variables, options: options).evaluate(operand)
  }
}
