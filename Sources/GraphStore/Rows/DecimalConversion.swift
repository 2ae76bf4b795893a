import Foundation
import GraphStorePredicates

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
  /// Whether a store keeps all its digits (STO-243).
  var fitsStore: Bool {
    significand.magnitude < Self.firstOf39Digits
      || DecimalNumeral(self).map { $0.digitCount <= DecimalNumeral.maximumDigits } ?? true
  }

  private static let firstOf39Digits = Decimal(sign: .plus, exponent: 38, significand: 1)
}
