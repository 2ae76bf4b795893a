import Foundation

/// The functions of one value by name.
enum ValueFunctions {
  static func body(_ function: QueryFunction) -> ((Value) -> Value)? {
    switch function {
    case .negate: { NumberLiteral.negated($0.isNumber ? $0.withoutBoolean : .null) ?? .null }
    case .absolute: absolute
    case .ceiling: { rounded($0, rule: .up, mode: .up) }
    case .floor: { rounded($0, rule: .down, mode: .down) }
    case .truncate: truncated
    case .squareRoot: { real($0) { $0 < 0 ? nil : $0.squareRoot() } }
    case .logarithm: { real($0) { $0 <= 0 ? nil : log10($0) } }
    case .naturalLogarithm: { real($0) { $0 <= 0 ? nil : log($0) } }
    case .exponential: { real($0) { exp($0) } }
    case .onesComplement: { $0.truncatedNumber.map { .int(~$0) } ?? .null }
    case .uppercase: { text($0) { $0.uppercased() } }
    case .lowercase: { text($0, CaseMapping.lowercased) }
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

  /// The functions of several values, one of which may be missing, in the order of the arguments.
  static func bodyOfSeveral(_ function: QueryFunction) -> (([Value]) -> Value)? {
    switch function {
    case .coalesce: { $0.first { !$0.isNull } ?? .null }
    case .round: rounded
    default: DateFunctions.body(function) ?? TextFunctions.body(function)
    }
  }

  /// Rounds to so many decimal places, halves away from zero; of a double the digits that it prints count.
  private static func rounded(_ values: [Value]) -> Value {
    let places = values.count == 2 ? values[1].truncatedNumber : 0
    guard let places, (-30...30).contains(places) else { return .null }
    switch values[0].withoutBoolean {
    case .int(let number) where places >= 0: return .int(number)
    case .int(let number):
      let decimal = DecimalArithmetic.rounded(Decimal(number), .plain, places: Int(places))
      return Value.decimal(decimal).truncatedNumber.map { .int($0) } ?? .decimal(decimal)
    case .decimal(let number): return .decimal(DecimalArithmetic.rounded(number, .plain, places: Int(places)))
    case .double(let number):
      // Doubles from 2 to the 53rd on are whole; one far below the last place that is kept is nothing, and no
      // decimal.
      if number.magnitude < 1e-32 { return .double(0) }
      guard number.isFinite, number.magnitude < (places < 0 ? 1e37 : 1e15) else { return .double(number) }
      let decimal = DecimalArithmetic.rounded(Decimal(shortestTextOf: number), .plain, places: Int(places))
      return .double(Value.decimal(decimal).doubleNumber ?? number)
    default: return .null
    }
  }

  private static func absolute(_ value: Value) -> Value {
    switch value.withoutBoolean {
    case .int(let number) where number < 0: NumberLiteral.negated(.int(number)) ?? .null
    case .double(let number): .double(number.magnitude)
    case .decimal(let number): .decimal(number.magnitude)
    case let number: number.isNumber ? number : .null
    }
  }

  private static func rounded(
    _ value: Value, rule: FloatingPointRoundingRule, mode: NSDecimalNumber.RoundingMode
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
    case .decimal(let decimal): rounded(value, rule: .towardZero, mode: decimal.isSignMinus ? .up : .down)
    default: rounded(value, rule: .towardZero, mode: .down)
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
