import Foundation

/// A decimal number as a whole significand and a power of ten, without trailing zeros.
struct DecimalDigits: Hashable {
  var isNegative: Bool
  var significand: UInt128
  var exponent: Int

  /// Reads `[-]digits[.digits][e[+-]digits]`; nil for anything else or when the significand has more than 38 digits.
  init?(_ text: some Sequence<UInt8>) {
    isNegative = false
    significand = 0
    exponent = 0
    var pendingZeros = 0
    var digitCount = 0
    var fraction: Int?
    var written = 0
    var hasWritten = false
    var isInExponent = false
    var exponentSign = 1
    for (index, byte) in text.enumerated() {
      switch byte {
      case UInt8(ascii: "-") where index == 0: isNegative = true
      case UInt8(ascii: "0")...UInt8(ascii: "9") where isInExponent:
        written = min(written * 10 + Int(byte & 15), 100_000)
        hasWritten = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        hasWritten = true
        if let count = fraction { fraction = count + 1 }
        if byte == UInt8(ascii: "0") {
          if significand != 0 { pendingZeros += 1 }
          continue
        }
        digitCount += pendingZeros + 1
        guard digitCount <= 38 else { return nil }
        for _ in 0..<pendingZeros { significand *= 10 }
        pendingZeros = 0
        significand = significand * 10 + UInt128(byte & 15)
      case UInt8(ascii: ".") where fraction == nil && !isInExponent: fraction = 0
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        guard !isInExponent, hasWritten else { return nil }
        isInExponent = true
        hasWritten = false
      case UInt8(ascii: "-") where isInExponent && !hasWritten: exponentSign = -1
      case UInt8(ascii: "+") where isInExponent && !hasWritten: exponentSign = 1
      default: return nil
      }
    }
    guard hasWritten else { return nil }
    exponent = significand == 0 ? 0 : exponentSign * written - (fraction ?? 0) + pendingZeros
  }

  /// The digits of a decimal; nil for NaN.
  init?(_ decimal: Decimal) {
    guard !decimal.isNaN else { return nil }
    self.init(decimal.description.utf8)
  }

  /// The number as a 64-bit integer, when it is one.
  var wholeNumber: Int64? {
    guard exponent >= 0, exponent <= 18, significand <= UInt128(UInt64.max) else { return nil }
    var magnitude = significand
    for _ in 0..<exponent { magnitude *= 10 }
    return Int64(exactly: isNegative ? -Int128(magnitude) : Int128(magnitude))
  }

  /// The decimal, when its exponent is one a `Decimal` can have.
  var decimal: Decimal? {
    guard (-128...127).contains(exponent) else { return nil }
    return Decimal(string: "\(isNegative ? "-" : "")\(significand)e\(exponent)")
  }
}
