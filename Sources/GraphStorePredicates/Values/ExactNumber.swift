import Foundation

/// Exact comparison of numbers of different kinds.
enum ExactNumber {
  /// The order of an integer and a double; nil for NaN.
  static func order(_ integer: Int64, _ double: Double) -> ComparisonResult? {
    if double.isNaN { return nil }
    if double >= 9_223_372_036_854_775_808 { return .orderedAscending }
    if double < -9_223_372_036_854_775_808 { return .orderedDescending }
    let whole = double.rounded(.towardZero)
    let truncated = Int64(whole)
    if integer != truncated { return integer < truncated ? .orderedAscending : .orderedDescending }
    return order(Double.zero, double - whole)
  }

  /// The order of two doubles; nil for NaN.
  static func order(_ left: Double, _ right: Double) -> ComparisonResult? {
    if left < right { return .orderedAscending }
    if left > right { return .orderedDescending }
    return left == right ? .orderedSame : nil
  }

  /// The order of a decimal and a double; nil for NaN. Exact, and costly only where both nearly agree.
  static func order(_ decimal: Decimal, _ double: Double) -> ComparisonResult? {
    if double.isNaN || decimal.isNaN { return nil }
    if double.isInfinite { return double > 0 ? .orderedAscending : .orderedDescending }
    let near = decimal.nearestDouble
    if abs(near - double) > max(abs(near), abs(double)) * 1e-9 { return order(near, double) }
    guard let numeral = DecimalNumeral(decimal) else { return order(near, double) }
    return order(numeral, double)
  }

  private static func order(_ numeral: DecimalNumeral, _ double: Double) -> ComparisonResult {
    let isLeftNegative = numeral.isNegative && numeral.significand != 0
    let isRightNegative = double < 0
    if isLeftNegative != isRightNegative { return isLeftNegative ? .orderedAscending : .orderedDescending }
    var left = Magnitude(numeral.significand)
    var right = Magnitude(0)
    let magnitude = double.magnitude
    if magnitude != 0 {
      let power = max(Int(magnitude.exponent), -1022) - 52
      right = Magnitude(UInt128(scalbn(magnitude, -power)))
      if power >= 0 { right.multiply(by: 2, times: power) } else { left.multiply(by: 2, times: -power) }
    }
    if numeral.exponent >= 0 {
      left.multiply(by: 10, times: numeral.exponent)
    } else {
      right.multiply(by: 10, times: -numeral.exponent)
    }
    let order = left.order(to: right)
    guard isLeftNegative else { return order }
    return ComparisonResult(rawValue: -order.rawValue) ?? .orderedSame
  }
}

/// Arbitrary-precision unsigned integer, as far as comparison needs it.
struct Magnitude {
  private var limbs: [UInt32] = []

  init(_ value: UInt128) {
    var rest = value
    while rest != 0 {
      limbs.append(UInt32(truncatingIfNeeded: rest))
      rest >>= 32
    }
  }

  mutating func multiply(by factor: UInt64, times: Int) {
    for _ in 0..<times {
      var carry: UInt64 = 0
      for index in limbs.indices {
        let product = UInt64(limbs[index]) * factor + carry
        limbs[index] = UInt32(truncatingIfNeeded: product)
        carry = product >> 32
      }
      if carry != 0 { limbs.append(UInt32(carry)) }
    }
  }

  func order(to other: Magnitude) -> ComparisonResult {
    if limbs.count != other.limbs.count {
      return limbs.count < other.limbs.count ? .orderedAscending : .orderedDescending
    }
    for index in limbs.indices.reversed() where limbs[index] != other.limbs[index] {
      return limbs[index] < other.limbs[index] ? .orderedAscending : .orderedDescending
    }
    return .orderedSame
  }
}
