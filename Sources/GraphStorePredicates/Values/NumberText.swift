import Foundation

/// Reader of decimal numerals in UTF-8 bytes: `-12.50`, `+.5`, `1e-9`.
///
/// The grammar is an optional sign, digits with at most one point among or around them, and an optional power
/// of ten. Imports and SQL functions read every number of their rows with it, so it makes no strings.
package enum NumberText {
  /// A whole number: an optional sign and digits only; nil if it is something else or does not fit.
  package static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
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

  /// The double nearest to a numeral; nil if the text is something else. Too large ones yield infinity.
  package static func double(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let numeral = unsafe DecimalNumeral(bytes) else { return nil }
    if numeral.omittedDigits == 0, numeral.significand < 1 << 53, numeral.exponent.magnitude <= 22 {
      // Both are exact as doubles, so the result is rounded once.
      let value = Double(UInt64(truncatingIfNeeded: numeral.significand))
      let power = powersOfTen[Int(numeral.exponent.magnitude)]
      let result = numeral.exponent < 0 ? value / power : value * power
      return numeral.isNegative ? -result : result
    }
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { text in
      for index in bytes.indices { unsafe text[index] = unsafe CChar(bitPattern: bytes[index]) }
      unsafe text[bytes.count] = 0
      return unsafe text.baseAddress.map { unsafe strtod($0, nil) }
    }
  }

  /// The powers of ten that are exact as doubles.
  package static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19,
    1e20, 1e21, 1e22,
  ]
}

extension DecimalNumeral {
  /// The numeral that a text is; nil if it is something else.
  package init?(_ text: some StringProtocol) {
    let numeral = text.utf8.withContiguousStorageIfAvailable { unsafe Self($0) }
    guard let numeral = numeral ?? Self(Array(text.utf8)) else { return nil }
    self = numeral
  }

  /// The numeral that UTF-8 bytes are; nil if they are something else.
  package init?(_ bytes: some RandomAccessCollection<UInt8>) {
    let numeral = bytes.withContiguousStorageIfAvailable { unsafe Self($0) }
    guard let numeral = numeral ?? Self(ContiguousArray(bytes)) else { return nil }
    self = numeral
  }

  /// The numeral that UTF-8 bytes are; nil if they are something else.
  ///
  /// Digits that the significand has no room for are counted; if they are zeros, in the power of ten. Powers
  /// beyond a thousand million, which are those of no number, are read as such.
  package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    var index = 0
    var isNegative = false
    if let first = unsafe bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      isNegative = first == UInt8(ascii: "-")
      index = 1
    }
    // Most numbers have at most 18 digits, and 64 bits are several times as fast as 128.
    var low: UInt64 = 0
    var digits = Digits()
    var significant = 0
    var hasDigits = false
    var exponent = 0
    var isFraction = false
    while index < bytes.count {
      let byte = unsafe bytes[index]
      let digit = byte &- 0x30
      if digit < 10 {
        hasDigits = true
        if significant > 0 || digit > 0 { significant &+= 1 }
        if significant <= 18 {
          low = low &* 10 &+ UInt64(digit)
          if isFraction { exponent &-= 1 }
        } else {
          if significant == 19 { digits.significand = UInt128(low) }
          if digits.append(digit) {
            if isFraction { exponent &-= 1 }
          } else if !isFraction {
            exponent &+= 1
          }
        }
      } else if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else {
        break
      }
      index &+= 1
    }
    guard hasDigits else { return nil }
    if index < bytes.count {
      guard unsafe bytes[index] | 0x20 == UInt8(ascii: "e"),
        let power = unsafe Self.power(UnsafeBufferPointer(rebasing: bytes[(index + 1)...]))
      else { return nil }
      exponent += power
    }
    self.init(
      isNegative: isNegative, significand: significant <= 18 ? UInt128(low) : digits.significand,
      exponent: exponent)
    omittedDigits = digits.omitted
  }

  /// A significand of more than 64 bits by its digits in order.
  private struct Digits {
    var significand: UInt128 = 0
    /// The number of digits there was no room for, up to the last that is not zero, and how many in all.
    var omitted = 0
    private var left = 0

    /// Appends a digit; false if there is no room for it.
    @inline(never)
    mutating func append(_ digit: UInt8) -> Bool {
      if left == 0 {
        let (product, overflow) = significand.multipliedReportingOverflow(by: 10)
        let (sum, overflow2) = product.addingReportingOverflow(UInt128(digit))
        if !overflow, !overflow2 {
          significand = sum
          return true
        }
      }
      left += 1
      if digit > 0 { omitted = left }
      return false
    }
  }

  /// The power of ten behind the `e`; nil if there are no digits or something else.
  private static func power(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let sign = unsafe bytes.first
    let start = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") ? 1 : 0
    guard start < bytes.count else { return nil }
    var power = 0
    for index in start..<bytes.count {
      let digit = unsafe bytes[index] &- 0x30
      guard digit < 10 else { return nil }
      power = min(power * 10 + Int(digit), 1_000_000_000)
    }
    return sign == UInt8(ascii: "-") ? -power : power
  }
}
