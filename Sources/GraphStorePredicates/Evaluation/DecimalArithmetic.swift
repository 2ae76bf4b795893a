import Foundation

/// Decimal arithmetic: exact up to 38 significant digits, then rounded half to even. Each operation returns
/// nil where the result is beyond what a decimal can be.
enum DecimalArithmetic {
  static func add(_ left: Decimal, _ right: Decimal) -> Decimal? {
    guard let left = DecimalNumeral(rounding: left), let right = DecimalNumeral(rounding: right) else {
      return nil
    }
    return sum(left, right)
  }

  static func subtract(_ left: Decimal, _ right: Decimal) -> Decimal? {
    guard let left = DecimalNumeral(rounding: left), var right = DecimalNumeral(rounding: right) else {
      return nil
    }
    right.isNegative.toggle()
    return sum(left, right)
  }

  static func multiply(_ left: Decimal, _ right: Decimal) -> Decimal? {
    guard let left = DecimalNumeral(rounding: left), let right = DecimalNumeral(rounding: right) else {
      return nil
    }
    let product = WideSignificand(left.significand, times: right.significand).rounded()
    return DecimalNumeral(
      isNegative: left.isNegative != right.isNegative, significand: product.significand,
      exponent: left.exponent + right.exponent + product.dropped
    ).fitted
  }

  /// The quotient; nil by zero.
  static func divide(_ left: Decimal, _ right: Decimal) -> Decimal? {
    guard let left = DecimalNumeral(rounding: left)?.widened, let right = DecimalNumeral(rounding: right),
      right.significand != 0
    else { return nil }
    // 38 digits and 39 zeros make more digits of quotient than are kept.
    let scaled = WideSignificand(left.significand, times: WideSignificand.powersOfTen[38]).timesTen
    let (quotient, remainder) = scaled.divided(by: right.significand)
    let result = quotient.rounded(isInexact: remainder != 0)
    return DecimalNumeral(
      isNegative: left.isNegative != right.isNegative, significand: result.significand,
      exponent: left.exponent - 39 - right.exponent + result.dropped
    ).fitted
  }

  /// The remainder of a division that truncates toward zero, with the sign of the left side; nil by zero.
  static func remainder(_ left: Decimal, _ right: Decimal) -> Decimal? {
    guard var left = DecimalNumeral(rounding: left), let right = DecimalNumeral(rounding: right),
      right.significand != 0
    else { return nil }
    if left.exponent >= right.exponent {
      left.significand %= right.significand
      for _ in 0..<(left.exponent - right.exponent) {
        left.significand =
          WideSignificand(left.significand, times: 10).divided(by: right.significand).remainder
      }
      left.exponent = right.exponent
    } else if right.exponent - left.exponent <= 38 {
      let power = WideSignificand.powersOfTen[right.exponent - left.exponent]
      let (divisor, overflow) = right.significand.multipliedReportingOverflow(by: power)
      if !overflow { left.significand %= divisor }
    }
    return left.fitted
  }

  /// The value without fraction, or with so many decimal places, as `mode` rounds it.
  static func rounded(_ value: Decimal, _ mode: NSDecimalNumber.RoundingMode, places: Int = 0) -> Decimal {
    var source = value
    var result = Decimal()
    unsafe NSDecimalRound(&result, &source, places, mode)
    return result
  }

  private static func sum(_ left: DecimalNumeral, _ right: DecimalNumeral) -> Decimal? {
    if left.significand == 0 { return right.fitted }
    if right.significand == 0 { return left.fitted }
    var (upper, lower) = (left.widened, right.widened)
    if upper.exponent < lower.exponent { swap(&upper, &lower) }
    let gap = upper.exponent - lower.exponent
    // Both have 38 digits, so that farther apart the lower one begins behind the digit that decides the
    // rounding.
    guard gap <= 39 else { return upper.fitted }
    let tens = WideSignificand.powersOfTen
    let scaled =
      gap <= 38
      ? WideSignificand(upper.significand, times: tens[gap])
      : WideSignificand(upper.significand, times: tens[38]).timesTen
    let result: WideSignificand
    var isNegative = upper.isNegative
    if upper.isNegative == lower.isNegative {
      result = scaled.adding(lower.significand)
    } else {
      let difference = scaled.subtracting(lower.significand)
      result = difference.magnitude
      if difference.isNegative { isNegative.toggle() }
    }
    let rounded = result.rounded()
    return DecimalNumeral(
      isNegative: isNegative, significand: rounded.significand, exponent: lower.exponent + rounded.dropped
    ).fitted
  }
}

extension DecimalNumeral {
  /// The digits of a decimal, rounded where there are more than 38; nil for NaN.
  fileprivate init?(rounding decimal: Decimal) {
    guard let numeral = DecimalNumeral(decimal) else { return nil }
    let rounded = WideSignificand(numeral.significand, times: 1).rounded()
    self.init(
      isNegative: numeral.isNegative, significand: rounded.significand,
      exponent: numeral.exponent + rounded.dropped)
  }

  /// The number with 38 digits.
  fileprivate var widened: DecimalNumeral {
    let zeros = 38 - WideSignificand.digits(of: significand)
    guard significand != 0, zeros > 0 else { return self }
    return DecimalNumeral(
      isNegative: isNegative, significand: significand * WideSignificand.powersOfTen[zeros],
      exponent: exponent - zeros)
  }

  /// The number as a decimal, rounded half to even where it is too small for all its digits; nil where it is
  /// too large.
  var fitted: Decimal? {
    var digits = canonical
    if digits.significand == 0 { return 0 }
    if digits.exponent < -128 {
      let dropped = -128 - digits.exponent
      guard dropped <= 38 else { return 0 }
      let power = WideSignificand.powersOfTen[dropped]
      let (quotient, remainder) = digits.significand.quotientAndRemainder(dividingBy: power)
      let half = power / 2
      let roundsUp = remainder > half || (remainder == half && quotient & 1 == 1)
      digits = DecimalNumeral(
        isNegative: isNegative, significand: roundsUp ? quotient + 1 : quotient, exponent: -128)
    }
    return digits.decimal
  }
}
