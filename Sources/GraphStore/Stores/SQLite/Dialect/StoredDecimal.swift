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

  /// The nearest whole number that is not greater; beyond 64 bits, where arithmetic goes on in doubles, the
  /// nearest double.
  static func wholeNumber(near number: Decimal) -> Value {
    var source = number
    var rounded = Decimal()
    unsafe NSDecimalRound(&rounded, &source, 0, .down)
    return integer(rounded).map(Value.int) ?? .double(number.nearestDouble)
  }

  /// The decimal that a stored text is; nil for one that is no numeral, or names a decimal that cannot be held.
  static func decimal(text: some RandomAccessCollection<UInt8>) -> Decimal? {
    guard let numeral = DecimalNumeral(text), numeral.digitCount <= DecimalNumeral.maximumDigits else {
      return nil
    }
    return numeral.decimal
  }

  /// What is wrong with an argument that is to be a decimal.
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

  /// Whether a stored double is one of the most usual: an amount in hundredths of at most 15 digits, which doubles tell
  /// apart and order.
  static func isShort(_ double: Double) -> Bool { hundredths(double) != nil }

  /// The hundredths that a stored double is exactly the decimal of; nil where it has a finer fraction, or more digits.
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
