import Foundation

/// Parser of numbers from their digits, without making strings.
enum NumberText {
  /// A whole number: an optional sign and digits only; nil if it is something else or does not fit.
  static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    var index = 0
    var isNegative = false
    if let first = unsafe bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      isNegative = first == UInt8(ascii: "-")
      index = 1
    }
    guard index < bytes.count else { return nil }
    // Negative, because the range reaches one further there.
    var value: Int64 = 0
    while index < bytes.count {
      let digit = unsafe bytes[index] &- 0x30
      guard digit < 10 else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (difference, overflow2) = product.subtractingReportingOverflow(Int64(digit))
      guard !overflow, !overflow2 else { return nil }
      value = difference
      index &+= 1
    }
    if isNegative { return value }
    return value == .min ? nil : -value
  }

  /// A number in decimal notation, rounded correctly; nil if it is something else. Too large ones give infinity.
  static func double(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let number = unsafe decimal(bytes) else { return nil }
    if let significand = number.significand, significand < 1 << 53, abs(number.exponent) <= 22 {
      let value = Double(UInt64(truncatingIfNeeded: significand))
      let power = powersOfTen[abs(number.exponent)]
      let result = number.exponent < 0 ? value / power : value * power
      return number.isNegative ? -result : result
    }
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { text in
      for index in bytes.indices { unsafe text[index] = unsafe CChar(bitPattern: bytes[index]) }
      unsafe text[bytes.count] = 0
      return unsafe text.baseAddress.map { unsafe strtod($0, nil) }
    }
  }

  /// A number taken apart.
  struct DecimalParts {
    var isNegative: Bool
    /// The digits as a whole number; nil if there are more than 38 of them.
    var significand: UInt128?
    /// The power of ten.
    var exponent: Int
  }

  /// A number in decimal notation (`-12.50`, `1e3`) taken apart exactly; nil if it is something else.
  static func decimal(_ bytes: UnsafeBufferPointer<UInt8>) -> DecimalParts? {
    var index = 0
    var isNegative = false
    if let first = unsafe bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      isNegative = first == UInt8(ascii: "-")
      index = 1
    }
    var low: UInt64 = 0
    var significand: UInt128 = 0
    var significant = 0
    var digits = 0
    var exponent = 0
    var isFraction = false
    while index < bytes.count {
      let byte = unsafe bytes[index]
      let digit = byte &- 0x30
      if digit < 10 {
        digits += 1
        if isFraction { exponent -= 1 }
        if significant > 0 || digit > 0 { significant += 1 }
        if significant <= 18 {
          low = low &* 10 &+ UInt64(digit)
        } else if significant <= 38 {
          if significant == 19 { significand = UInt128(low) }
          significand = significand &* 10 &+ UInt128(digit)
        }
      } else if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else {
        break
      }
      index &+= 1
    }
    guard digits > 0 else { return nil }
    if index < bytes.count {
      guard unsafe bytes[index] | 0x20 == UInt8(ascii: "e"),
        let power = unsafe integer(UnsafeBufferPointer(rebasing: bytes[(index + 1)...])), abs(power) < 1 << 32
      else { return nil }
      exponent += Int(power)
    }
    if significant <= 18 { significand = UInt128(low) }
    return DecimalParts(
      isNegative: isNegative, significand: significant > 38 ? nil : significand, exponent: exponent)
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19,
    1e20, 1e21, 1e22,
  ]
}
