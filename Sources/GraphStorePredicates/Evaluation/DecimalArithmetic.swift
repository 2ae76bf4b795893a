import Foundation

/// Decimal arithmetic to 38 digits, rounded half to even.
enum DecimalArithmetic {
  static func add(_ left: Decimal, _ right: Decimal) -> Decimal {
    result(left, right) { NSDecimalAdd(&$0, &$1, &$2, .bankers) }
  }

  static func subtract(_ left: Decimal, _ right: Decimal) -> Decimal {
    result(left, right) { NSDecimalSubtract(&$0, &$1, &$2, .bankers) }
  }

  static func multiply(_ left: Decimal, _ right: Decimal) -> Decimal {
    result(left, right) { NSDecimalMultiply(&$0, &$1, &$2, .bankers) }
  }

  /// The quotient; nil by zero.
  static func divide(_ left: Decimal, _ right: Decimal) -> Decimal? {
    if right == 0 { return nil }
    return result(left, right) { NSDecimalDivide(&$0, &$1, &$2, .bankers) }
  }

  /// What is left of a division that truncates toward zero; nil by zero.
  static func remainder(_ left: Decimal, _ right: Decimal) -> Decimal? {
    guard let quotient = divide(left, right) else { return nil }
    return subtract(left, multiply(rounded(quotient, quotient.isSignMinus ? .up : .down), right))
  }

  static func rounded(_ value: Decimal, _ mode: NSDecimalNumber.RoundingMode) -> Decimal {
    var source = value
    var result = Decimal()
    NSDecimalRound(&result, &source, 0, mode)
    return result
  }

  private static func result(
    _ left: Decimal, _ right: Decimal,
    _ operation: (inout Decimal, inout Decimal, inout Decimal) -> NSDecimalNumber.CalculationError
  ) -> Decimal {
    var result = Decimal()
    var left = left
    var right = right
    let error = operation(&result, &left, &right)
    return error == .overflow || error == .divideByZero ? Decimal.nan : result
  }
}
