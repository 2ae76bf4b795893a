import Foundation

/// Compiled predicate for testing many objects: names resolved, patterns compiled, lists hashed.
///
/// One evaluator is one pass: `now()` is one time for all its objects. Not `Sendable`; make one for each
/// thread. Evaluating throws ``QueryPredicateError``, and, unchanged, the errors of what it calls: objects,
/// which may have to be loaded, registered functions and blocks.
///
/// ```swift
/// let evaluator = try PredicateEvaluator(QueryPredicate(parsing: "salary > 50000"))
/// let wellPaid = try department.employees.filter { try evaluator.evaluate($0) }
/// ```
public final class PredicateEvaluator {
  private let root: PredicateNode
  private let pass: EvaluationPass
  private let nesting: Int

  /// Prepares a predicate. Throws `unbound-variable` for a variable without value,
  /// `bad-regular-expression`, `unknown-function`, `unsupported-function` and `predicate-too-deep`.
  public init(
    _ predicate: QueryPredicate, variables: [String: QueryOperand] = [:], options: EvaluationOptions = .init()
  ) throws(QueryPredicateError) {
    let compiler = PredicateCompiler(options: options, variables: variables)
    nesting = try compiler.checkDepth(TreeDepth.depth(of: predicate))
    root = try withLargeStack(nesting: nesting) { () throws(QueryPredicateError) in
      try compiler.compile(predicate)
    }
    pass = EvaluationPass(options: options, variables: variables, slotCount: compiler.slotCount)
  }

  /// Prepares a predicate whose variables have values, with the same errors.
  public convenience init(
    _ predicate: QueryPredicate, values: [String: Value], options: EvaluationOptions = .init()
  ) throws(QueryPredicateError) {
    try self.init(predicate, variables: values.mapValues(QueryOperand.value), options: options)
  }

  /// Whether the predicate is true for an object or value.
  public func evaluate(_ object: QueryOperand) throws -> Bool {
    try truth(object).isTrue
  }

  /// Whether the predicate is true for an object.
  public func evaluate(_ object: any _PropertySource) throws -> Bool {
    guard nesting <= 100 else { return try truth(.source(object)).isTrue }
    return try root.truth(of: object, pass).isTrue
  }

  /// Begins another pass: `now()` is its time from here on.
  public func begin(now: Date = Date()) {
    pass.options.now = now
  }

  /// The truth value of the predicate for an object or value; never unknown in two-valued logic.
  package func truth(_ object: QueryOperand) throws -> Ternary {
    pass.object = object
    guard nesting > 100 else { return try root.truth(pass) }
    return try withLargeStack(nesting: nesting) { [root, pass] in try root.truth(pass) }
  }
}

/// Compiled expression for many objects; see ``PredicateEvaluator``.
///
/// ```swift
/// let evaluator = try ExpressionEvaluator(QueryExpression(parsing: "salary * 12"))
/// for employee in department.employees { print(try evaluator.value(for: .source(employee))) }
/// ```
public final class ExpressionEvaluator {
  private let root: ExpressionNode
  private let pass: EvaluationPass
  private let nesting: Int

  /// Prepares an expression whose values are results: a sum of integers beyond 64 bits throws
  /// `arithmetic-overflow` when it is computed. Throws the errors of ``PredicateEvaluator``.
  public convenience init(
    _ expression: QueryExpression, variables: [String: QueryOperand] = [:],
    options: EvaluationOptions = .init()
  ) throws(QueryPredicateError) {
    try self.init(expression, variables: variables, options: options, isResult: true)
  }

  /// Prepares an expression whose values are results, or serve comparing and sorting, where a sum of integers
  /// counts on as a decimal.
  ///
  /// - Parameter members: The names of variables whose values ``value(for:members:)`` is given.
  package init(
    _ expression: QueryExpression, variables: [String: QueryOperand] = [:], members: [String] = [],
    options: EvaluationOptions = .init(),
    isResult: Bool
  ) throws(QueryPredicateError) {
    let compiler = PredicateCompiler(options: options, variables: variables, members: members)
    nesting = try compiler.checkDepth(TreeDepth.depth(of: expression))
    root = try withLargeStack(nesting: nesting) { () throws(QueryPredicateError) in
      try compiler.compile(expression)
    }
    if isResult { root.becomeResult() }
    pass = EvaluationPass(options: options, variables: variables, slotCount: compiler.slotCount)
  }

  /// The value of the expression for an object or value.
  public func operand(for object: QueryOperand) throws -> QueryOperand {
    pass.object = object
    guard nesting > 100 else { return try root.operand(pass) }
    return try withLargeStack(nesting: nesting) { [root, pass] in try root.operand(pass) }
  }

  /// The value of the expression for an object and the values of the variables that were named.
  package func value(for object: QueryOperand, members: [QueryOperand]) throws -> Value {
    pass.slots.replaceSubrange(..<members.count, with: members)
    return try value(for: object)
  }

  /// The value of the expression for an object or value, objects as references and collections as lists.
  public func value(for object: QueryOperand) throws -> Value {
    try operand(for: object).value
  }
}
