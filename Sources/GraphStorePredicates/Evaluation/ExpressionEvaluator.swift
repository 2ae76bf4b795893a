/// An expression prepared for many objects; see ``PredicateEvaluator``.
public final class ExpressionEvaluator {
  private let root: ExpressionNode
  private let pass: EvaluationPass
  private let nesting: Int

  /// Prepares an expression whose values are results: a sum of integers beyond 64 bits throws `arithmetic-overflow`
  /// when it is computed. Throws the errors of ``PredicateEvaluator``.
  public convenience init(
    _ expression: QueryExpression, variables: [String: QueryOperand] = [:], options: EvaluationOptions = .init()
  ) throws {
    try self.init(expression, variables: variables, options: options, isResult: true)
  }

  /// Prepares an expression whose values are results, or serve comparing and sorting, where a sum of integers counts on
  /// as a decimal.
  package init(
    _ expression: QueryExpression, variables: [String: QueryOperand] = [:], options: EvaluationOptions = .init(),
    isResult: Bool
  ) throws {
    let compiler = PredicateCompiler(options: options, variables: variables)
    nesting = try compiler.checkDepth(TreeDepth.depth(of: expression))
    root = try withLargeStack(nesting: nesting) { try compiler.compile(expression) }
    if isResult { root.becomeResult() }
    pass = EvaluationPass(options: options, variables: variables, slotCount: compiler.slotCount)
  }

  /// What the expression yields for an object or value.
  public func operand(for object: QueryOperand) throws -> QueryOperand {
    pass.object = object
    guard nesting > 100 else { return try root.operand(pass) }
    return try withLargeStack(nesting: nesting) { [root, pass] in try root.operand(pass) }
  }

  /// What the expression yields for an object or value, objects as references and collections as lists.
  public func value(for object: QueryOperand) throws -> Value {
    try operand(for: object).value
  }
}
