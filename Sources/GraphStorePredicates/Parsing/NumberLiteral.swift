import Foundation

/// Number literals of predicate text: integers of several radixes, doubles and decimals.
package enum NumberLiteral {
  /// The value of a digit of any radix up to 16.
  @inline(__always)
  static func digit(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) - 48
    case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte) - 87
    case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte) - 55
    default: nil
    }
  }

  /// The value of a number token; nil when no number of 38 digits holds it.
  ///
  /// Whole numbers are integers, or decimals beyond 64 bits. Fractions are doubles, or decimals when the
  /// nearest double does not print as the same digits.
  static func value(_ bytes: ArraySlice<UInt8>) -> Value? {
    if let whole = wholeNumber(bytes) { return whole }
    guard let numeral = DecimalNumeral(bytes)?.canonical, numeral.digitCount <= DecimalNumeral.maximumDigits
    else { return nil }
    let isWhole = !bytes.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
    if !isWhole, let double = Double("0" + String(decoding: bytes, as: UTF8.self)), double.isFinite,
      DecimalNumeral(shortestTextOf: double).canonical == numeral
    {
      return .double(double)
    }
    return numeral.decimal.map(Value.decimal)
  }

  /// The value of a text that is wholly a number, sign included; nil for every other text.
  package static func value(ofText text: String) -> Value? {
    let trimmed = text.utf8
    guard let first = trimmed.first else { return nil }
    let isNegative = first == UInt8(ascii: "-")
    let body = Array(isNegative || first == UInt8(ascii: "+") ? trimmed.dropFirst() : trimmed[...])
    guard let start = body.first, digit(start) != nil || start == UInt8(ascii: ".") else { return nil }
    if let point = body.firstIndex(of: UInt8(ascii: ".")) {
      guard point + 1 < body.count, (0x30...0x39).contains(body[point + 1]) else { return nil }
    }
    guard let value = value(body[...]) else { return nil }
    return isNegative ? negated(value) : value
  }

  /// The opposite number; nil for what is no number.
  static func negated(_ value: Value) -> Value? {
    switch value {
    case .int(let integer):
      let (result, overflow) = Int64(0).subtractingReportingOverflow(integer)
      return overflow ? .decimal(-Decimal(integer)) : .int(result)
    case .double(let double): return .double(-double)
    case .decimal(let decimal):
      if decimal == -Decimal(Int64.min) { return .int(.min) }
      return .decimal(-decimal)
    default: return nil
    }
  }

  private static func wholeNumber(_ bytes: ArraySlice<UInt8>) -> Value? {
    if bytes.count <= 18, bytes.first != UInt8(ascii: "0") {
      return unsafe bytes.withUnsafeBufferPointer { unsafe NumberText.integer($0) }.map(Value.int)
    }
    var radix = 10
    var digits = bytes
    if bytes.count > 2, bytes.first == UInt8(ascii: "0") {
      let marker = bytes[bytes.startIndex + 1] | 0x20
      if let found = [UInt8(ascii: "x"): 16, UInt8(ascii: "o"): 8, UInt8(ascii: "b"): 2][marker] {
        radix = found
        digits = bytes.dropFirst(2)
      }
    }
    var total: UInt128 = 0
    for byte in digits {
      guard let digit = digit(byte), digit < radix, total < UInt128.max / 32 else { return nil }
      total = total * UInt128(radix) + UInt128(digit)
    }
    if let integer = Int64(exactly: total) { return .int(integer) }
    let numeral = DecimalNumeral(significand: total, exponent: 0)
    return numeral.digitCount <= DecimalNumeral.maximumDigits ? numeral.decimal.map(Value.decimal) : nil
  }
}
