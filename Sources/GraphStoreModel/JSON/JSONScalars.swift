/// Lexical grammar of JSON numbers, which both parsers share; what they say of a number that breaks it is
/// their own.
package enum JSONNumber {
  /// A number: where it ends, and whether it has neither fraction nor exponent.
  case number(end: Int, isInteger: Bool)
  /// A number that begins with 0 followed by another digit.
  case leadingZero
  /// There is no digit where one has to be.
  case missingDigit(at: Int, in: Part)

  /// The parts of a number.
  package enum Part {
    case whole, fraction, exponent
  }

  /// Scans the number that begins at an index.
  @inlinable
  @inline(__always)
  package static func scan(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> JSONNumber {
    var index = start
    if index < bytes.count, unsafe bytes[index] == UInt8(ascii: "-") { index &+= 1 }
    let digits = index
    unsafe skipDigits(bytes, &index)
    guard index > digits else { return .missingDigit(at: index, in: .whole) }
    if index &- digits > 1, unsafe bytes[digits] == UInt8(ascii: "0") { return .leadingZero }
    var isInteger = true
    if index < bytes.count, unsafe bytes[index] == UInt8(ascii: ".") {
      isInteger = false
      index &+= 1
      let first = index
      unsafe skipDigits(bytes, &index)
      guard index > first else { return .missingDigit(at: index, in: .fraction) }
    }
    if index < bytes.count, unsafe bytes[index] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      index &+= 1
      if index < bytes.count,
        unsafe bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-")
      {
        index &+= 1
      }
      let first = index
      unsafe skipDigits(bytes, &index)
      guard index > first else { return .missingDigit(at: index, in: .exponent) }
    }
    return .number(end: index, isInteger: isInteger)
  }

  @inlinable
  @inline(__always)
  package static func skipDigits(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) {
    while index < bytes.count, unsafe bytes[index] &- 0x30 < 10 { index &+= 1 }
  }
}

/// Escape of a JSON string, which both parsers share; what they say of one that is none is their own.
package enum JSONEscape {
  /// A character, and where the escape ends; that of a surrogate pair is both of its halves.
  case character(Unicode.Scalar, end: Int)
  /// The text ends behind the backslash.
  case endsBeforeKind
  /// The text ends among the digits of `\u`.
  case endsInDigits
  /// The text ends where the second half of a character has to begin.
  case endsBeforeSecondHalf
  /// No escape has this letter.
  case unknown
  /// The `\u` that begins at an index does not have four hexadecimal digits.
  case badDigits(at: Int)
  /// The first half of a surrogate pair without the second.
  case missingSecondHalf
  /// The second half of a surrogate pair without the first.
  case missingFirstHalf

  /// Reads the escape whose backslash is at an index.
  package static func read(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> JSONEscape {
    guard start + 1 < bytes.count else { return .endsBeforeKind }
    switch unsafe bytes[start + 1] {
    case let byte where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/"):
      return .character(Unicode.Scalar(byte), end: start + 2)
    case UInt8(ascii: "b"): return .character("\u{08}", end: start + 2)
    case UInt8(ascii: "f"): return .character("\u{0C}", end: start + 2)
    case UInt8(ascii: "n"): return .character("\n", end: start + 2)
    case UInt8(ascii: "r"): return .character("\r", end: start + 2)
    case UInt8(ascii: "t"): return .character("\t", end: start + 2)
    case UInt8(ascii: "u"): return unsafe readUnit(bytes, at: start)
    default: return .unknown
    }
  }

  /// Reads `\uXXXX`, or two of them that are one character.
  private static func readUnit(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> JSONEscape {
    guard let first = unsafe unit(bytes, at: start) else { return unsafe digitsProblem(bytes, at: start) }
    if let scalar = Unicode.Scalar(first) { return .character(scalar, end: start + 6) }
    guard first < 0xDC00 else { return .missingFirstHalf }
    guard start + 6 < bytes.count else { return .endsBeforeSecondHalf }
    guard unsafe bytes[start + 6] == UInt8(ascii: "\\") else { return .missingSecondHalf }
    guard start + 7 < bytes.count else { return .endsBeforeSecondHalf }
    guard unsafe bytes[start + 7] == UInt8(ascii: "u") else { return .missingSecondHalf }
    guard let second = unsafe unit(bytes, at: start + 6) else {
      return unsafe digitsProblem(bytes, at: start + 6)
    }
    let scalar =
      second & 0xFC00 == 0xDC00 ? Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF) : nil
    return scalar.map { .character($0, end: start + 12) } ?? .missingSecondHalf
  }

  /// The number of the four digits behind `\u`; nil where they are not there.
  private static func unit(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> UInt32? {
    var unit: UInt32 = 0
    for step in 2..<6 {
      guard start + step < bytes.count, let digit = unsafe hexadecimalDigit(bytes[start + step]) else {
        return nil
      }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }

  private static func digitsProblem(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> JSONEscape {
    let digits = unsafe bytes[(start + 2)...].prefix(4)
    let areDigits = unsafe digits.allSatisfy { hexadecimalDigit($0) != nil }
    return areDigits ? .endsInDigits : .badDigits(at: start)
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 0x30
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - 0x61 + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - 0x41 + 10
    default: nil
    }
  }
}
