import Foundation

/// Decimal numeral: a sign, a whole significand and a power of ten.
///
/// The library's one form between decimal text, `Decimal` and the shortest text of a `Double`. Reading keeps
/// the decimal places that were written (`1.50` is 150 and -2), so numerals that are compared or hashed are
/// made ``canonical`` first. The significand has room for every `Decimal`, which may have 39 digits; text and
/// stores are held to ``maximumDigits``.
package struct DecimalNumeral: Hashable, Sendable {
  /// The maximum number of significant digits in text and stores. A `Decimal` may have one more, which not
  /// every number of that length fits.
  package static let maximumDigits = 38

  /// Whether there is a minus sign.
  package var isNegative: Bool
  /// The digits as a whole number.
  package var significand: UInt128
  /// The power of ten of the significand's last digit.
  package var exponent: Int
  /// The number of digits of a text after those of the significand, which has no room for them; the last is
  /// not zero.
  package var omittedDigits = 0

  /// Makes a numeral of its parts.
  package init(isNegative: Bool = false, significand: UInt128, exponent: Int) {
    self.isNegative = isNegative
    self.significand = significand
    self.exponent = exponent
  }

  /// The numeral of a whole number.
  package init(_ value: Int64) {
    self.init(isNegative: value < 0, significand: UInt128(value.magnitude), exponent: 0)
  }

  /// The canonical numeral of a decimal; nil for NaN.
  package init?(_ decimal: Decimal) {
    guard !decimal.isNaN, let numeral = Self(decimal.description) else { return nil }
    self = numeral.canonical
  }

  // MARK: Digits

  /// The number without zeros at its end; zero has neither sign nor power.
  package var canonical: DecimalNumeral {
    guard significand != 0 else { return DecimalNumeral(significand: 0, exponent: 0) }
    guard omittedDigits == 0 else { return self }
    var numeral = self
    while numeral.significand > UInt128(UInt64.max) {
      let (quotient, digit) = numeral.significand.quotientAndRemainder(dividingBy: 10)
      guard digit == 0 else { return numeral }
      numeral.significand = quotient
      numeral.exponent += 1
    }
    var rest = UInt64(truncatingIfNeeded: numeral.significand)
    while rest % 10 == 0 {
      rest /= 10
      numeral.exponent += 1
    }
    numeral.significand = UInt128(rest)
    return numeral
  }

  /// The number of significant digits: from the first to the last that is not zero.
  package var digitCount: Int { WideSignificand.digits(of: canonical.significand) + omittedDigits }

  /// Whether the number is whole, whatever its size.
  package var isWhole: Bool {
    significand == 0 || exponent >= omittedDigits || canonical.exponent >= omittedDigits
  }

  // MARK: Numbers

  /// The number as a 64-bit integer, when it is one.
  package var wholeNumber: Int64? {
    let numeral = canonical
    guard numeral.omittedDigits == 0, (0...18).contains(numeral.exponent),
      numeral.significand <= UInt128(UInt64.max)
    else { return nil }
    let magnitude = Int128(numeral.significand) * Int128(WideSignificand.powersOfTen[numeral.exponent])
    return Int64(exactly: isNegative ? -magnitude : magnitude)
  }

  /// The decimal, when there is one that is exactly the number.
  ///
  /// Powers of ten above 127 move into the significand as zeros, up to 38 digits.
  package var decimal: Decimal? {
    var numeral = canonical
    guard numeral.omittedDigits == 0, numeral.exponent >= -128 else { return nil }
    if numeral.significand <= UInt128(UInt64.max), numeral.exponent <= 100 {
      return Decimal(
        sign: numeral.isNegative ? .minus : .plus, exponent: numeral.exponent,
        significand: Decimal(UInt64(truncatingIfNeeded: numeral.significand)))
    }
    if numeral.exponent > 127 {
      let zeros = numeral.exponent - 127
      guard WideSignificand.digits(of: numeral.significand) + zeros <= Self.maximumDigits else { return nil }
      numeral.significand *= WideSignificand.powersOfTen[zeros]
      numeral.exponent = 127
    }
    return Decimal(string: "\(isNegative ? "-" : "")\(numeral.significand)e\(numeral.exponent)", locale: nil)
  }
}

// MARK: - Doubles

extension DecimalNumeral {
  /// The number whose text is the shortest that reads back as a double, which is finite.
  package init(shortestTextOf double: Double) {
    self =
      Self(fewDigitsOf: double) ?? Self(double.description)?.canonical
      ?? DecimalNumeral(significand: 0, exponent: 0)
  }

  /// The numeral of the shortest text if it has at most 15 digits and at most 15 of them behind the point;
  /// made by arithmetic, which takes a fraction of the time that text does.
  ///
  /// A number of at most 15 digits is the only one of them that names its double, and a quotient of two exact
  /// doubles is the double nearest to it: where the quotient is the double again, the digits are its digits.
  init?(fewDigitsOf double: Double) {
    let limit = 1e15
    let magnitude = double.magnitude
    guard magnitude < limit else { return nil }
    var scale = 1.0
    for places in 0...15 {
      let scaled = (magnitude * scale).rounded()
      guard scaled < limit else { return nil }
      if scaled / scale == magnitude {
        self.init(isNegative: double < 0, significand: UInt128(UInt64(scaled)), exponent: -places)
        return
      }
      scale *= 10
    }
    return nil
  }
}

extension Decimal {
  /// The decimal with the fewest digits that names a double.
  package init(shortestTextOf double: Double) {
    let numeral = double.isFinite ? DecimalNumeral(shortestTextOf: double) : nil
    self = numeral?.decimal ?? Decimal(double)
  }

  /// The nearest double; Foundation's own conversion is not correctly rounded.
  package var nearestDouble: Double { Double(description) ?? .nan }

  /// The whole part as a 64-bit integer, when it fits.
  package var truncatedInteger: Int64? {
    guard !isNaN else { return nil }
    var source = self
    var rounded = Decimal()
    unsafe NSDecimalRound(&rounded, &source, 0, isSignMinus ? .up : .down)
    return Int64(rounded.description)
  }
}
