import Foundation

/// Decimal numeral: a sign, a whole significand and a power of ten.
struct DecimalNumeral: Hashable, Sendable {
  var isNegative: Bool
  var significand: UInt128
  var exponent: Int

  init(isNegative: Bool = false, significand: UInt128, exponent: Int) {
    self.isNegative = isNegative
    self.significand = significand
    self.exponent = exponent
  }

  init(_ value: Int64) {
    self.init(isNegative: value < 0, significand: UInt128(value.magnitude), exponent: 0)
  }

  /// A decimal without zeros at the end of its significand, which has at most 39 digits.
  init(_ value: Decimal) {
    self.init(text: value.description)
  }

  /// The number whose text is the shortest that reads back as a double.
  init(shortestTextOf value: Double) {
    self = Self.short(value) ?? DecimalNumeral(text: value.description)
  }

  /// A number of up to 15 digits and nine of them behind the point: its text is unique, so that the first power of ten
  /// which makes it whole is that of the shortest one.
  private static func short(_ value: Double) -> DecimalNumeral? {
    var power = 1.0
    for places in 0...9 {
      let scaled = (value.magnitude * power).rounded()
      if scaled >= 1e15 { return nil }
      if scaled / power == value.magnitude {
        return DecimalNumeral(isNegative: value < 0, significand: UInt128(scaled), exponent: -places)
      }
      power *= 10
    }
    return nil
  }

  /// The number of a text as Swift and Foundation print them: `-12.5`, `1e-9`.
  private init(text: String) {
    self.init(significand: 0, exponent: 0)
    var isFraction = false
    var zeros = 0
    let parts = text.split(whereSeparator: { $0 == "e" || $0 == "E" })
    for byte in (parts.first ?? "").utf8 {
      switch byte {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "0"):
        // Zeros count only once another digit stands behind them, so that no power of ten goes beyond 128 bits.
        if significand != 0 { zeros += 1 }
        if isFraction { exponent -= 1 }
      case UInt8(ascii: "1")...UInt8(ascii: "9"):
        for _ in 0..<zeros { significand *= 10 }
        zeros = 0
        significand = significand * 10 + UInt128(byte & 15)
        if isFraction { exponent -= 1 }
      default: break
      }
    }
    if parts.count > 1 { exponent += Int(parts[1]) ?? 0 }
    exponent = significand == 0 ? 0 : exponent + zeros
    if significand == 0 { isNegative = false }
  }
}
