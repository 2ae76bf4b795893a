import Foundation
import GraphStorePredicates
import GraphStoreSQLite

/// Decimals in the forms in which a store holds them (STO-243).
///
/// Up to 15 significant digits a decimal is a number: every such decimal has a double of its own, in the
/// same order. A longer one is a blob that holds its text.
enum StoredDecimal {
  static let longest = 15

  /// The stored form of a decimal.
  static func binding(_ number: Decimal) -> SQLBinding {
    if let numeral = DecimalNumeral(number), numeral.digitCount > longest {
      return .blob(Array(text(number).utf8))
    }
    return integer(number).map(SQLBinding.integer) ?? .double(number.nearestDouble)
  }

  static func text(_ number: Decimal) -> String { number.description }

  static func integer(_ number: Decimal) -> Int64? { Int64(text(number)) }

  /// The nearest whole number that is not greater; beyond 64 bits, where arithmetic continues in doubles, the
  /// nearest double.
  static func wholeNumber(near number: Decimal) -> Value {
    var source = number
    var rounded = Decimal()
    unsafe NSDecimalRound(&rounded, &source, 0, .down)
    return integer(rounded).map(Value.int) ?? .double(number.nearestDouble)
  }

  /// The decimal that a stored text is; nil for one that is no numeral, or names a decimal that cannot be
  /// held.
  static func decimal(text: some RandomAccessCollection<UInt8>) -> Decimal? {
    guard let numeral = DecimalNumeral(text), numeral.digitCount <= DecimalNumeral.maximumDigits else {
      return nil
    }
    return numeral.decimal
  }

  /// The error of an argument that is no decimal.
  static func damage(_ arguments: SQLiteFunctionArguments, _ index: Int) -> SQLiteDamagedValue {
    let shown =
      arguments.type(at: index) == .real
      ? "the number \(arguments.double(at: index))" : unsafe "\(arguments.blob(at: index).count) bytes"
    return SQLiteDamagedValue("a value that is to be a decimal is none: \(shown)")
  }

  /// Whether a stored double names a decimal that can be held.
  static func isDecimal(_ double: Double) -> Bool {
    let magnitude = double.magnitude
    if magnitude == 0 || magnitude >= 1e-100 && magnitude <= 1e100 { return true }
    return magnitude.isFinite && DecimalNumeral(shortestTextOf: double).decimal != nil
  }

  /// Whether a stored double is one of the most usual: an amount in hundredths of at most 15 digits, which
  /// doubles distinguish and order.
  static func isShort(_ double: Double) -> Bool { hundredths(double) != nil }

  /// The hundredths that a stored double is exactly the decimal of; nil where it has a finer fraction, or
  /// more digits.
  static func hundredths(_ double: Double) -> Int64? {
    let hundredths = (double * 100).rounded()
    guard hundredths.magnitude < 1e15, hundredths / 100 == double else { return nil }
    return Int64(hundredths)
  }

  /// The decimal of at most 15 digits that has the double as its own, if there is one.
  static func decimal(ofStored double: Double) -> Decimal? {
    guard double.isFinite else { return nil }
    let numeral = DecimalNumeral(shortestTextOf: double)
    return numeral.digitCount <= longest ? numeral.decimal : nil
  }
}

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
  ///   - place: The position of the point, counted from before the first digit.
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
