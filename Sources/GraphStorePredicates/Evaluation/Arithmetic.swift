import Foundation

/// Arithmetic between two values; nil where it has no meaning.
enum Arithmetic {
  static func value(of function: QueryFunction, left: Value, right: Value) -> Value {
    if left.isNull || right.isNull { return .null }
    switch function {
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight:
      return bitwise(function, left: left, right: right)
    case .power: return power(left, right)
    default: break
    }
    switch (left, right) {
    case (.date(let left), .date(let right)) where function == .subtract:
      return .double(left.timeIntervalSinceReferenceDate - right.timeIntervalSinceReferenceDate)
    case (.date(let date), _) where function == .add || function == .subtract:
      guard let seconds = right.doubleNumber else { return .null }
      return moment(date.timeIntervalSinceReferenceDate + (function == .add ? seconds : -seconds))
    case (_, .date(let date)) where function == .add:
      guard let seconds = left.doubleNumber else { return .null }
      return moment(date.timeIntervalSinceReferenceDate + seconds)
    default: break
    }
    guard left.isNumber, right.isNumber else { return .null }
    switch (left.wholeNumber, right.wholeNumber) {
    case (.some(let left), .some(let right)): return integers(function, left: left, right: right)
    default: break
    }
    if left.isDouble || right.isDouble {
      guard let left = left.doubleNumber, let right = right.doubleNumber else { return .null }
      return doubles(function, left: left, right: right)
    }
    guard let left = left.decimalNumber, let right = right.decimalNumber else { return .null }
    return decimals(function, left: left, right: right)
  }

  private static func moment(_ seconds: Double) -> Value {
    .date(Date(timeIntervalSinceReferenceDate: seconds))
  }

  /// The result, as a decimal where it is beyond 64 bits.
  private static func integers(_ function: QueryFunction, left: Int64, right: Int64) -> Value {
    let (result, overflow): (Int64, Bool)
    switch function {
    case .add: (result, overflow) = left.addingReportingOverflow(right)
    case .subtract: (result, overflow) = left.subtractingReportingOverflow(right)
    case .multiply: (result, overflow) = left.multipliedReportingOverflow(by: right)
    case .divide:
      if right == 0 { return .null }
      (result, overflow) = left.dividedReportingOverflow(by: right)
    case .modulus:
      if right == 0 { return .null }
      (result, overflow) = right == -1 ? (0, false) : left.remainderReportingOverflow(dividingBy: right)
    default: return .null
    }
    return overflow ? decimals(function, left: Decimal(left), right: Decimal(right)) : .int(result)
  }

  private static func doubles(_ function: QueryFunction, left: Double, right: Double) -> Value {
    switch function {
    case .add: .double(left + right)
    case .subtract: .double(left - right)
    case .multiply: .double(left * right)
    case .divide: right == 0 ? .null : .double(left / right)
    case .modulus: right == 0 ? .null : .double(left.truncatingRemainder(dividingBy: right))
    default: .null
    }
  }

  /// The result, or that of doubles where it is beyond what a decimal can be.
  private static func decimals(_ function: QueryFunction, left: Decimal, right: Decimal) -> Value {
    if function == .divide || function == .modulus, right == 0 { return .null }
    let result: Decimal? =
      switch function {
      case .add: DecimalArithmetic.add(left, right)
      case .subtract: DecimalArithmetic.subtract(left, right)
      case .multiply: DecimalArithmetic.multiply(left, right)
      case .divide: DecimalArithmetic.divide(left, right)
      case .modulus: DecimalArithmetic.remainder(left, right)
      default: nil
      }
    return result.map(Value.decimal)
      ?? doubles(function, left: left.nearestDouble, right: right.nearestDouble)
  }

  private static func power(_ base: Value, _ exponent: Value) -> Value {
    if case .decimal(let base) = base, let exponent = exponent.wholeNumber, exponent >= 0,
      let result = power(base, UInt64(exponent))
    {
      return .decimal(result)
    }
    guard let base = base.doubleNumber, let exponent = exponent.doubleNumber else { return .null }
    let result = pow(base, exponent)
    return result.isNaN ? .null : .double(result)
  }

  /// Nil where the result is beyond what a decimal can be.
  private static func power(_ base: Decimal, _ exponent: UInt64) -> Decimal? {
    var result = Decimal(1)
    var factor = base
    var rest = exponent
    while rest > 0 {
      if rest & 1 == 1 {
        guard let product = DecimalArithmetic.multiply(result, factor) else { return nil }
        result = product
      }
      rest >>= 1
      if rest > 0 {
        guard let square = DecimalArithmetic.multiply(factor, factor) else { return nil }
        factor = square
      }
    }
    return result
  }

  private static func bitwise(_ function: QueryFunction, left: Value, right: Value) -> Value {
    guard let left = left.truncatedNumber, let right = right.truncatedNumber else { return .null }
    switch function {
    case .bitwiseAnd: return .int(left & right)
    case .bitwiseOr: return .int(left | right)
    case .bitwiseXor: return .int(left ^ right)
    case .shiftLeft: return .int(left << right)
    case .shiftRight: return .int(left >> right)
    default: return .null
    }
  }
}

extension Value {
  /// An integer or Boolean as an integer; nil for every other value.
  var wholeNumber: Int64? {
    switch self {
    case .int(let value): value
    case .bool(let value): value ? 1 : 0
    default: nil
    }
  }

  var isDouble: Bool {
    if case .double = self { return true }
    return false
  }

  /// A number truncated toward zero; nil for what is no number or does not fit.
  var truncatedNumber: Int64? {
    guard isNumber, case .int(let value) = cast(to: .integer) else { return nil }
    return value
  }
}
