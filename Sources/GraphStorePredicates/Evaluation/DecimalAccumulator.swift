import Foundation

/// Long accumulator of decimals: their exact sum, whatever their sizes and their order, which is rounded
/// once, at its end.
struct DecimalAccumulator {
  /// Digits of the sum, nine of them a limb, the least first. A limb accumulates addends without a carry: it
  /// has room for four thousand million decimals.
  private var limbs = [Int64](repeating: 0, count: Self.count)

  private static let base: Int64 = 1_000_000_000
  /// The power of ten of the first limb's last digit: the least that a decimal has.
  private static let lowest = -128
  /// Room for a decimal of the greatest power and 39 digits, and for carries.
  private static let count = 41

  /// The sum of integers and decimals; nil values are skipped. Nil where another value is among them.
  init?(_ values: [Value]) {
    for value in values where !value.isNull {
      switch value {
      case .int, .bool, .decimal:
        guard let number = value.decimalNumber, let numeral = DecimalNumeral(number) else { return nil }
        add(numeral)
      default: return nil
      }
    }
  }

  private mutating func add(_ numeral: DecimalNumeral) {
    guard numeral.significand != 0 else { return }
    var (limb, shift) = (numeral.exponent - Self.lowest).quotientAndRemainder(dividingBy: 9)
    assert(limb >= 0)
    let factor = Int64(WideSignificand.powersOfTen[shift]) * (numeral.isNegative ? -1 : 1)
    var rest = numeral.significand
    while rest > 0 {
      let (quotient, digits) = rest.quotientAndRemainder(dividingBy: UInt128(Self.base))
      let (high, low) = (Int64(digits) * factor).quotientAndRemainder(dividingBy: Self.base)
      limbs[limb] += low
      limbs[limb + 1] += high
      limb += 1
      rest = quotient
    }
  }

  /// The sum; nil where it is too large for a decimal.
  var sum: Decimal? { quotient(by: 1) }

  /// The mean of so many values, with at most six decimal places more than their sum has; nil where it is too
  /// large for a decimal.
  func mean(of count: Int) -> Decimal? {
    guard let quotient = quotient(by: count), let sum, let numeral = DecimalNumeral(sum) else { return nil }
    let places = Self.furtherPlaces + max(0, -numeral.exponent)
    return DecimalArithmetic.rounded(quotient, .bankers, places: places)
  }

  private static let furtherPlaces = 6

  /// The sum divided by a number, rounded half to even to 38 digits; nil where it is too large for a decimal.
  private func quotient(by divisor: Int) -> Decimal? {
    assert(divisor > 0)
    let (magnitude, isNegative) = carried
    // After the sum's own digits there are enough of the quotient to decide how it is rounded.
    var quotient: [UInt128] = []
    var remainder: UInt128 = 0
    for digits in magnitude.reversed() + [0] {
      let part = remainder * UInt128(Self.base) + UInt128(digits)
      let (limb, rest) = part.quotientAndRemainder(dividingBy: UInt128(divisor))
      remainder = rest
      if limb > 0 || !quotient.isEmpty { quotient.append(limb) }
    }
    return Self.rounded(quotient, isInexact: remainder > 0, isNegative: isNegative)
  }

  /// - Parameter quotient: Limbs, the greatest first, the last of which is one below the lowest.
  private static func rounded(_ quotient: [UInt128], isInexact: Bool, isNegative: Bool) -> Decimal? {
    // Six limbs have at least 46 digits, more than are kept.
    let kept = quotient.prefix(6)
    let base = UInt128(base)
    let (upper, lower) = (kept.prefix(3), kept.dropFirst(3))
    let rounded = WideSignificand(
      upper.reduce(0) { $0 * base + $1 }, times: WideSignificand.powersOfTen[9 * lower.count]
    ).adding(lower.reduce(0) { $0 * base + $1 })
      .rounded(isInexact: isInexact || quotient.dropFirst(6).contains { $0 > 0 })
    return DecimalNumeral(
      isNegative: isNegative, significand: rounded.significand,
      exponent: lowest - 9 + 9 * (quotient.count - kept.count) + rounded.dropped
    ).fitted
  }

  /// The limbs of the sum's magnitude with their carries done, and its sign.
  private var carried: (magnitude: [Int64], isNegative: Bool) {
    let limbs = Self.carry(limbs)
    // All limbs but the last are positive then, so that the last has the sign.
    guard limbs[limbs.count - 1] < 0 else { return (limbs, false) }
    return (Self.carry(limbs.map(-)), true)
  }

  private static func carry(_ limbs: [Int64]) -> [Int64] {
    var limbs = limbs
    for limb in 0..<limbs.count - 1 {
      var (carry, rest) = limbs[limb].quotientAndRemainder(dividingBy: base)
      if rest < 0 { (carry, rest) = (carry - 1, rest + base) }
      limbs[limb] = rest
      limbs[limb + 1] += carry
    }
    return limbs
  }
}
