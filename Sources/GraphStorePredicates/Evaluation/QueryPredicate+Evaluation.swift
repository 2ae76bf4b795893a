extension QueryPredicate {
  /// Whether the predicate is true for an object, in two-valued logic unless the options say otherwise. For
  /// many objects prepare a ``PredicateEvaluator``.
  public func evaluate(
    with object: any _PropertySource, variables: [String: Value] = [:], options: EvaluationOptions = .init()
  ) throws -> Bool {
    try evaluate(with: .source(object), variables: variables, options: options)
  }

  /// Whether the predicate is true for a value, a list or a dictionary, in two-valued logic unless the
  /// options say otherwise.
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

extension Sequence where Element: _PropertySource {
  /// The objects for which a predicate is true, in two-valued logic unless the options say otherwise, and in
  /// their order. The predicate is compiled once.
  public func filtered(
    by predicate: QueryPredicate, variables: [String: Value] = [:], options: EvaluationOptions = .init()
  ) throws -> [Element] {
    let evaluator = try PredicateEvaluator(predicate, values: variables, options: options)
    return try filter { try evaluator.evaluate($0) }
  }
}

extension Set where Element: _PropertySource {
  /// The objects for which a predicate is true, in two-valued logic unless the options say otherwise.
  public func filtered(
    by predicate: QueryPredicate, variables: [String: Value] = [:], options: EvaluationOptions = .init()
  ) throws -> Set<Element> {
    let evaluator = try PredicateEvaluator(predicate, values: variables, options: options)
    return try filter { try evaluator.evaluate($0) }
  }
}

extension Sequence where Element == Value {
  /// The values for which a predicate is true, in two-valued logic unless the options say otherwise, and in
  /// their order.
  public func filtered(
    by predicate: QueryPredicate, variables: [String: Value] = [:], options: EvaluationOptions = .init()
  ) throws -> [Element] {
    let evaluator = try PredicateEvaluator(predicate, values: variables, options: options)
    return try filter { try evaluator.evaluate(.value($0)) }
  }
}

extension Set where Element == Value {
  /// The values for which a predicate is true, in two-valued logic unless the options say otherwise.
  public func filtered(
    by predicate: QueryPredicate, variables: [String: Value] = [:], options: EvaluationOptions = .init()
  ) throws -> Set<Element> {
    let evaluator = try PredicateEvaluator(predicate, values: variables, options: options)
    return try filter { try evaluator.evaluate(.value($0)) }
  }
}

extension Sequence where Element == [String: Value] {
  /// The rows for which a predicate is true, in two-valued logic unless the options say otherwise, and in
  /// their order.
  public func filtered(
    by predicate: QueryPredicate, variables: [String: Value] = [:], options: EvaluationOptions = .init()
  ) throws -> [Element] {
    let evaluator = try PredicateEvaluator(predicate, values: variables, options: options)
    return try filter { try evaluator.evaluate(.value(.dictionary($0))) }
  }
}
