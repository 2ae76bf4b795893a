import Foundation

extension Int64 {
  /// The whole number that a decimal is, or nil.
  init?(exactly decimal: Decimal) {
    guard decimal.isFinite else { return nil }
    let number = NSDecimalNumber(decimal: decimal)
    let value = number.int64Value
    guard Decimal(value) == decimal else { return nil }
    self = value
  }
}

extension Decimal {
  /// Whether a store keeps all its digits: there may be 38 of them, zeros at the end left out (STO-243).
  ///
  /// The significand of a decimal goes a little beyond that.
  var fitsStore: Bool {
    if significand.magnitude < Self.firstOf39Digits { return true }
    var digits = significand.magnitude.description.utf8[...]
    while digits.last == UInt8(ascii: "0") { digits = digits.dropLast() }
    return digits.count <= 38
  }

  private static let firstOf39Digits = Decimal(sign: .plus, exponent: 38, significand: 1)

  /// The decimal with the fewest digits that names the double.
  init(shortestTextOf double: Double) {
    self =
      Decimal(fewDigitsOf: double) ?? Decimal(string: double.description, locale: nil) ?? Decimal(double)
  }

  /// The decimal with the fewest digits that names the double, if those are at most 15 and at most 15 of them stand
  /// behind the point; made by arithmetic, which takes a fraction of the time that text does.
  ///
  /// A number of at most 15 digits is the only one of them that names its double, and a quotient of two exact doubles
  /// is the double nearest to it: where the quotient is the double again, the digits are its digits.
  init?(fewDigitsOf double: Double) {
    let limit = 1e15
    guard double.magnitude < limit else { return nil }
    var scale = 1.0
    for digits in 0...15 {
      let scaled = (double * scale).rounded()
      guard scaled.magnitude < limit else { return nil }
      if scaled / scale == double {
        self.init(sign: .plus, exponent: -digits, significand: Decimal(Int64(scaled)))
        return
      }
      scale *= 10
    }
    return nil
  }
}
