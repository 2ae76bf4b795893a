import Foundation

/// Decimal numeral as digits and an exponent, read from text without going through binary floating point.
struct DecimalText {
  /// Whether there is a minus sign.
  let isNegative: Bool
  /// The digits without leading and trailing zeros, as ASCII; empty for zero.
  let digits: [UInt8]
  /// The power of ten of the last digit.
  let exponent: Int

  /// Reads `-12.50e3`; nil for anything that is not a whole number or a fraction with an optional exponent.
  init?(_ text: some StringProtocol) {
    var bytes = Array(text.utf8)[...]
    var negative = false
    if let sign = bytes.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      negative = sign == UInt8(ascii: "-")
      bytes.removeFirst()
    }
    var digits: [UInt8] = []
    var scale = 0
    var hasDigits = false
    var hasPoint = false
    while let byte = bytes.first {
      if (0x30...0x39).contains(byte) {
        hasDigits = true
        if !digits.isEmpty || byte != 0x30 { digits.append(byte) }
        if hasPoint { scale -= 1 }
      } else if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else {
        break
      }
      bytes.removeFirst()
    }
    guard hasDigits else { return nil }
    if let byte = bytes.first {
      guard byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E"),
        let power = Int(String(decoding: bytes.dropFirst(), as: UTF8.self)), abs(power) < 1_000_000
      else { return nil }
      scale += power
    }
    while digits.last == 0x30 {
      digits.removeLast()
      scale += 1
    }
    isNegative = negative
    self.digits = digits
    exponent = digits.isEmpty ? 0 : scale
  }

  /// The whole number it is, nil when it has a fraction or does not fit 64 bits.
  var int64: Int64? {
    guard exponent >= 0, digits.count + exponent <= 19 else { return nil }
    let zeros = String(repeating: "0", count: exponent)
    let text = digits.isEmpty ? "0" : String(decoding: digits, as: UTF8.self) + zeros
    return Int64((isNegative ? "-" : "") + text)
  }

  /// Whether it is a whole number of any size.
  var isWhole: Bool { exponent >= 0 }

  /// The decimal it is, nil beyond 38 digits or an exponent of -128…127.
  var decimal: Decimal? {
    guard !digits.isEmpty else { return Decimal(0) }
    guard digits.count <= 38, exponent >= -128 else { return nil }
    // An exponent above 127 is allowed as long as zeros can be moved into the digits.
    let moved = max(0, exponent - 127)
    guard digits.count + moved <= 38 else { return nil }
    var significand = Decimal(0)
    for start in stride(from: 0, to: digits.count, by: 9) {
      let part = digits[start..<min(start + 9, digits.count)]
      let value = part.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      significand = significand * Self.powers[part.count] + Decimal(value)
    }
    if moved > 0 {
      for _ in 0..<moved { significand *= 10 }
    }
    return Decimal(
      sign: isNegative ? .minus : .plus, exponent: exponent - moved, significand: significand)
  }

  private static let powers: [Decimal] = (0...9).map { count in
    Decimal((0..<count).reduce(1) { value, _ in value * 10 })
  }
}
