import Foundation

/// A function of one value; nil yields nil.
final class ValueFunctionNode: ExpressionNode {
  private let argument: ExpressionNode
  private let body: (Value) -> Value

  init(_ argument: ExpressionNode, _ body: @escaping (Value) -> Value) {
    self.argument = argument
    self.body = body
  }

  override func operand(_ pass: EvaluationPass) throws -> QueryOperand {
    let value = try argument.operand(pass).value
    return value.isNull ? .null : .value(body(value))
  }
}

/// A function of several values, which says itself what a missing one yields.
final class SeveralValuesNode: ExpressionNode {
  private let arguments: [ExpressionNode]
  private let body: ([Value]) -> Value

  init(_ arguments: [ExpressionNode], _ body: @escaping ([Value]) -> Value) {
    self.arguments = arguments
    self.body = body
  }

  override func operand(_ pass: EvaluationPass) throws -> QueryOperand {
    .value(body(try arguments.map { try $0.operand(pass).value }))
  }
}

/// An aggregate function over the members of one collection, or over several values.
final class AggregateFunctionNode: ExpressionNode {
  private let function: QueryFunction
  private let arguments: [ExpressionNode]
  private let range: SourceRange?
  private var isResult = false

  init(_ function: QueryFunction, _ arguments: [ExpressionNode], range: SourceRange?) {
    self.function = function
    self.arguments = arguments
    self.range = range
  }

  override func becomeResult() { isResult = true }

  override func operand(_ pass: EvaluationPass) throws -> QueryOperand {
    let members =
      arguments.count == 1
      ? try arguments[0].operand(pass).membersOrSelf : try arguments.map { try $0.operand(pass) }
    if function == .count { return .value(.int(Int64(members.count))) }
    let values = members.map(\.value)
    let value = Aggregation.value(of: function, over: values)
    if isResult, function == .sum { try value.checkResult(ofSumming: values, at: range) }
    return .value(value)
  }
}

/// `percentile:`, whose fraction is a number from 0 to 1; nil for any other.
final class PercentileNode: ExpressionNode {
  private let collection: ExpressionNode
  private let fraction: ExpressionNode

  init(_ collection: ExpressionNode, fraction: ExpressionNode) {
    self.collection = collection
    self.fraction = fraction
  }

  override func operand(_ pass: EvaluationPass) throws -> QueryOperand {
    guard let percentile = Percentile(try fraction.operand(pass).value) else { return .null }
    return .value(percentile.value(over: try collection.operand(pass).membersOrSelf.map(\.value)))
  }
}

/// `now()`.
final class NowNode: ExpressionNode {
  override func operand(_ pass: EvaluationPass) -> QueryOperand { .value(.date(pass.options.now)) }
}

/// `random()`, `random:` and `randomn:`.
final class RandomNode: ExpressionNode {
  private let argument: ExpressionNode?

  init(_ argument: ExpressionNode?) {
    self.argument = argument
  }

  override func operand(_ pass: EvaluationPass) throws -> QueryOperand {
    guard let argument else { return .value(.int(Int64.random(in: 0...2_147_483_647))) }
    let operand = try argument.operand(pass)
    if let members = operand.members { return members.randomElement() ?? .null }
    guard let bound = operand.value.truncatedNumber, bound > 0 else { return .null }
    return .value(.int(Int64.random(in: 0..<bound)))
  }
}

/// `distinct:`.
final class DistinctNode: ExpressionNode {
  private let argument: ExpressionNode

  init(_ argument: ExpressionNode) {
    self.argument = argument
  }

  override func operand(_ pass: EvaluationPass) throws -> QueryOperand {
    let operand = try argument.operand(pass)
    if operand.isNull { return .null }
    return .collection(Aggregation.distinct(operand.membersOrSelf), isOrdered: true)
  }
}

/// `normalize:with:`. A constant transform that does not exist throws when the node is made.
final class NormalizeNode: ExpressionNode {
  private let text: ExpressionNode
  private let transform: ExpressionNode
  /// The normaliser of the transform met last.
  private var normalizer: TextNormalizer?

  init(_ text: ExpressionNode, _ transform: ExpressionNode) throws(QueryPredicateError) {
    self.text = text
    self.transform = transform
    if case .string(let transform)? = transform.constant {
      normalizer = try TextNormalizer(transform: transform)
    }
  }

  override func operand(_ pass: EvaluationPass) throws -> QueryOperand {
    guard case .value(.string(let text)) = try text.operand(pass),
      case .value(.string(let transform)) = try transform.operand(pass)
    else { return .null }
    if let normalizer, normalizer.transform == transform {
      return .value(.string(normalizer.normalize(text)))
    }
    let made = try TextNormalizer(transform: transform)
    normalizer = made
    return .value(.string(made.normalize(text)))
  }
}

/// A function of arithmetic with two operands. A floating constant that meets a decimal counts as a decimal.
final class ArithmeticNode: ExpressionNode {
  private let function: QueryFunction
  private let left: ExpressionNode
  private let right: ExpressionNode
  private let leftIsFloat: Bool
  private let rightIsFloat: Bool

  init(_ function: QueryFunction, left: ExpressionNode, right: ExpressionNode) {
    self.function = function
    self.left = left
    self.right = right
    leftIsFloat = left.constant?.isDouble ?? false
    rightIsFloat = right.constant?.isDouble ?? false
  }

  override func operand(_ pass: EvaluationPass) throws -> QueryOperand {
    guard case .value(var leftValue) = try left.operand(pass),
      case .value(var rightValue) = try right.operand(pass)
    else { return .null }
    if leftIsFloat, case .decimal = rightValue { leftValue = leftValue.shortestDecimal }
    if rightIsFloat, case .decimal = leftValue { rightValue = rightValue.shortestDecimal }
    return .value(Arithmetic.value(of: function, left: leftValue, right: rightValue))
  }
}

/// `FUNCTION(target, "name:", …)`.
final class CallNode: ExpressionNode {
  private let target: ExpressionNode
  private let arguments: [ExpressionNode]
  private let function: RegisteredFunction

  init(_ target: ExpressionNode, arguments: [ExpressionNode], function: RegisteredFunction) {
    self.target = target
    self.arguments = arguments
    self.function = function
  }

  override func operand(_ pass: EvaluationPass) throws -> QueryOperand {
    try function.result(target.operand(pass), arguments.map { try $0.operand(pass) })
  }
}
