/// `FUNCTION(target, "name:", …)`.
final class CallNode: ExpressionNode {
  private let target: ExpressionNode
  private let arguments: [ExpressionNode]
  private let body: PredicateFunctions.Body

  init(_ target: ExpressionNode, _ arguments: [ExpressionNode], _ body: @escaping PredicateFunctions.Body) {
    self.target = target
    self.arguments = arguments
    self.body = body
  }

  override func operand(_ pass: EvaluationPass) throws -> Operand {
    try body(target.operand(pass), arguments.map { try $0.operand(pass) })
  }
}

/// `FETCH(request, context, countOnly)`.
final class FetchNode: ExpressionNode {
  private let request: ExpressionNode
  private let context: ExpressionNode
  private let countOnly: ExpressionNode
  private let fetch: (Operand, Operand, Bool) throws -> Operand

  init(
    _ request: ExpressionNode, _ context: ExpressionNode, _ countOnly: ExpressionNode,
    _ fetch: @escaping (Operand, Operand, Bool) throws -> Operand
  ) {
    self.request = request
    self.context = context
    self.countOnly = countOnly
    self.fetch = fetch
  }

  override func operand(_ pass: EvaluationPass) throws -> Operand {
    let isCount = try countOnly.operand(pass).value.isEqual(to: .bool(true))
    return try fetch(request.operand(pass), context.operand(pass), isCount)
  }
}
