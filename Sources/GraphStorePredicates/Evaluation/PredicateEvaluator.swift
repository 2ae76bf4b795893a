import Foundation

/// A predicate prepared for testing many objects: names resolved, patterns compiled, lists hashed.
///
/// One evaluator is one pass: `now()` is one moment for all its objects. Not `Sendable`; make one for each thread.
public final class PredicateEvaluator {
  private let root: PredicateNode
  private let pass: EvaluationPass
  private let nesting: Int

  /// Prepares a predicate. Throws ``QueryPredicateError``: `unbound-variable` for a variable without value,
  /// `bad-regular-expression`, `unknown-function`, `unsupported-function` and `predicate-too-deep`.
  public init(
    _ predicate: QueryPredicate, variables: [String: QueryOperand] = [:], options: EvaluationOptions = .init()
  ) throws {
    let compiler = PredicateCompiler(options: options, variables: variables)
    nesting = try compiler.checkDepth(TreeDepth.depth(of: predicate))
    root = try withLargeStack(nesting: nesting) { try compiler.compile(predicate) }
    pass = EvaluationPass(options: options, variables: variables, slotCount: compiler.slotCount)
  }

  /// Prepares a predicate whose variables stand for values, with the same errors.
  public convenience init(
    _ predicate: QueryPredicate, values: [String: Value], options: EvaluationOptions = .init()
  ) throws {
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

  /// Begins another pass: `now()` is its moment from here on.
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
