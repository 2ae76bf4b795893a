import Foundation

/// A function of one value; nil gives nil.
final class ValueFunctionNode: ExpressionNode {
  private let argument: ExpressionNode
  private let body: (Value) -> Value

  init(_ argument: ExpressionNode, _ body: @escaping (Value) -> Value) {
    self.argument = argument
    self.body = body
  }

  override func operand(_ pass: EvaluationPass) throws -> Operand {
    let value = try argument.operand(pass).value
    return value.isNull ? .null : .value(body(value))
  }
}

/// An aggregate function over the members of one collection, or over several values.
final class AggregateFunctionNode: ExpressionNode {
  private let function: QueryFunction
  private let arguments: [ExpressionNode]

  init(_ function: QueryFunction, _ arguments: [ExpressionNode]) {
    self.function = function
    self.arguments = arguments
  }

  override func operand(_ pass: EvaluationPass) throws -> Operand {
    let members =
      arguments.count == 1
      ? try arguments[0].operand(pass).membersOrSelf : try arguments.map { try $0.operand(pass) }
    if function == .count { return .value(.int(Int64(members.count))) }
    let values = members.map(\.value)
    switch function {
    case .sum: return .value(try Aggregation.sum(values))
    case .average: return .value(Aggregation.average(values))
    case .min: return .value(Aggregation.extreme(values, .orderedAscending))
    case .max: return .value(Aggregation.extreme(values, .orderedDescending))
    case .median: return .value(Aggregation.median(values))
    case .mode: return .value(Aggregation.mode(values))
    case .stddev: return .value(Aggregation.standardDeviation(values))
    default: return .null
    }
  }
}

/// `now()`.
final class NowNode: ExpressionNode {
  override func operand(_ pass: EvaluationPass) -> Operand { .value(.date(pass.options.now)) }
}

/// `random()`, `random:` and `randomn:`.
final class RandomNode: ExpressionNode {
  private let argument: ExpressionNode?

  init(_ argument: ExpressionNode?) {
    self.argument = argument
  }

  override func operand(_ pass: EvaluationPass) throws -> Operand {
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

  override func operand(_ pass: EvaluationPass) throws -> Operand {
    let operand = try argument.operand(pass)
    if operand.isNull { return .null }
    return .collection(Aggregation.distinct(operand.membersOrSelf), isOrdered: true)
  }
}

/// `normalize:with:`.
final class NormalizeNode: ExpressionNode {
  private let text: ExpressionNode
  private let transform: ExpressionNode

  init(_ text: ExpressionNode, _ transform: ExpressionNode) {
    self.text = text
    self.transform = transform
  }

  override func operand(_ pass: EvaluationPass) throws -> Operand {
    guard case .value(.string(let text)) = try text.operand(pass),
      case .value(.string(let transform)) = try transform.operand(pass)
    else { return .null }
    return .value(.string(try TextNormalizer(transform: transform).normalize(text)))
  }
}

/// The functions of one value by name.
enum ValueFunctions {
  static func body(_ function: QueryFunction) -> ((Value) -> Value)? {
    switch function {
    case .negate: { NumberLiteral.negated($0.isNumber ? $0.withoutBoolean : .null) ?? .null }
    case .absolute: absolute
    case .ceiling: { rounded($0, .up, .up) }
    case .floor: { rounded($0, .down, .down) }
    case .truncate: truncated
    case .squareRoot: { real($0) { $0 < 0 ? nil : $0.squareRoot() } }
    case .logarithm: { real($0) { $0 <= 0 ? nil : log10($0) } }
    case .naturalLogarithm: { real($0) { $0 <= 0 ? nil : log($0) } }
    case .exponential: { real($0) { exp($0) } }
    case .onesComplement: { $0.truncatedNumber.map { .int(~$0) } ?? .null }
    case .uppercase: { text($0) { $0.uppercased() } }
    case .lowercase: { text($0) { $0.lowercased() } }
    case .canonical: { text($0) { TextFolding.canonical.key(of: $0) } }
    case .normalize: { text($0) { TextNormalizer.standard.normalize($0) } }
    case .length:
      {
        if case .string(let text) = $0 { return .int(Int64(text.utf16.count)) }
        return .null
      }
    default: nil
    }
  }

  private static func absolute(_ value: Value) -> Value {
    let number = value.withoutBoolean
    guard number.isNegativeNumber else { return number.isNumber ? number : .null }
    return NumberLiteral.negated(number) ?? .null
  }

  private static func rounded(
    _ value: Value, _ rule: FloatingPointRoundingRule, _ mode: NSDecimalNumber.RoundingMode
  ) -> Value {
    switch value {
    case .double(let value): .double(value.rounded(rule))
    case .decimal(let value): .decimal(DecimalArithmetic.rounded(value, mode))
    case .int, .bool: value.withoutBoolean
    default: .null
    }
  }

  private static func truncated(_ value: Value) -> Value {
    switch value {
    case .double(let value): .double(value.rounded(.towardZero))
    case .decimal(let decimal): rounded(value, .towardZero, decimal.isSignMinus ? .up : .down)
    default: rounded(value, .towardZero, .down)
    }
  }

  private static func real(_ value: Value, _ body: (Double) -> Double?) -> Value {
    guard let number = value.doubleNumber, let result = body(number), !result.isNaN else { return .null }
    return .double(result)
  }

  private static func text(_ value: Value, _ body: (String) -> String) -> Value {
    if case .string(let text) = value { return .string(body(text)) }
    return .null
  }
}

extension Value {
  /// A Boolean as 0 or 1, every other value as it is.
  var withoutBoolean: Value {
    if case .bool(let value) = self { return .int(value ? 1 : 0) }
    return self
  }
}
