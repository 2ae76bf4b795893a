import GraphStorePredicates

/// Sort key of a decimal: bytes whose order is that of the numbers.
enum DecimalSortKey {
  /// Powers of ten beyond this are those of no decimal, and would not fit the key.
  private static let exponents = -10_000...10_000

  /// The key of a numeral such as `-12.50` or `1.5e-07`; nil for a text that is none.
  static func bytes(ofText text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard let numeral = unsafe DecimalNumeral(text), exponents.contains(numeral.exponent) else { return nil }
    guard numeral.omittedDigits > 0 else { return bytes(of: numeral) }
    // More digits than any decimal has: those that the numeral lacks are in the text.
    let digits = unsafe text.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { (0x30...0x39).contains($0) }
    let significant = digits.drop { $0 == 0x30 }
    let count = significant.count - significant.reversed().prefix { $0 == 0x30 }.count
    return bytes(
      isNegative: numeral.isNegative, place: numeral.exponent + numeral.digitCount - numeral.omittedDigits,
      digits: significant.prefix(count))
  }

  /// The key of a numeral that has all its digits.
  static func bytes(of numeral: DecimalNumeral) -> [UInt8] {
    let numeral = numeral.canonical
    guard numeral.significand != 0 else { return [0x80] }
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 40) { digits in
      let count =
        unsafe digits.baseAddress.map { unsafe WholeNumberText.write(numeral.significand, to: $0) } ?? 0
      return unsafe bytes(
        isNegative: numeral.isNegative, place: numeral.exponent + count, digits: digits.prefix(count))
    }
  }

  /// - Parameters:
  ///   - place: The place of the point, counted from before the first digit.
  ///   - digits: The digits from the first to the last that is not zero, as ASCII.
  private static func bytes(
    isNegative: Bool, place: Int, digits: some Collection<UInt8>
  ) -> [UInt8] {
    let place = UInt16(clamping: place + 0x8000)
    let flip: UInt8 = isNegative ? 0xFF : 0
    var key: [UInt8] = []
    key.reserveCapacity(digits.count + 4)
    key.append(0x81 ^ flip)
    key.append(UInt8(place >> 8) ^ flip)
    key.append(UInt8(place & 0xFF) ^ flip)
    for digit in digits { key.append((digit - 0x2F) ^ flip) }
    key.append(flip)
    return key
  }
}
