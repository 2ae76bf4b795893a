import Foundation

/// A decimal number as a significand and a power of ten.
struct DecimalParts {
  var significand: Int128
  var exponent: Int

  init(_ value: Decimal) {
    self.init(text: value.description)
  }

  /// The number whose text is the shortest that reads back as a double.
  init(shortestTextOf value: Double) {
    if let short = Self.short(value) { self = short } else { self.init(text: value.description) }
  }

  private init(significand: Int128, exponent: Int) {
    self.significand = significand
    self.exponent = exponent
  }

  /// A number of up to 15 digits and nine of them behind the point: its text is unique, so that the first power of ten
  /// which makes it whole is that of the shortest one.
  private static func short(_ value: Double) -> DecimalParts? {
    var power = 1.0
    for places in 0...9 {
      let scaled = (value * power).rounded()
      if abs(scaled) >= 1e15 { return nil }
      if scaled / power == value { return DecimalParts(significand: Int128(scaled), exponent: -places) }
      power *= 10
    }
    return nil
  }

  private init(text: String) {
    significand = 0
    exponent = 0
    var isNegative = false
    var isFraction = false
    let parts = text.split(whereSeparator: { $0 == "e" || $0 == "E" })
    for byte in (parts.first ?? "").utf8 {
      switch byte {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        significand = significand &* 10 &+ Int128(byte & 15)
        if isFraction { exponent -= 1 }
      default: break
      }
    }
    if isNegative { significand = -significand }
    while exponent < 0, significand % 10 == 0 {
      significand /= 10
      exponent += 1
    }
    if parts.count > 1 { exponent += Int(parts[1]) ?? 0 }
  }
}
