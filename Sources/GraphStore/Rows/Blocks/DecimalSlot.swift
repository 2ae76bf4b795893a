import Foundation
import GraphStorePredicates

/// The three forms in which a decimal is stored in a row; most need neither a `Decimal` nor room in the tail.
///
/// The lowest two bits of the slot encode the form: a whole number of up to 62 bits in place, the offset of
/// eight bytes of a double whose shortest decimal text is the value, or the offset of a `Decimal`.
package enum DecimalSlot {
  case whole(Int64)
  case double(offset: Int)
  case decimal(offset: Int)

  package static let wholeRange: ClosedRange<Int64> = -(1 << 61)...((1 << 61) - 1)

  package init(word: UInt64) {
    switch word & 3 {
    case 0: self = .whole(Int64(bitPattern: word) >> 2)
    case 1: self = .double(offset: Int(word >> 2))
    default: self = .decimal(offset: Int(word >> 2))
    }
  }

  package var word: UInt64 {
    switch self {
    case .whole(let value): UInt64(bitPattern: value << 2)
    case .double(let offset): UInt64(offset) << 2 | 1
    case .decimal(let offset): UInt64(offset) << 2 | 2
    }
  }
}

extension Int64 {
  /// The whole number that a decimal is, or nil.
  package init?(exactly decimal: Decimal) {
    guard decimal.isFinite else { return nil }
    let number = NSDecimalNumber(decimal: decimal)
    let value = number.int64Value
    guard Decimal(value) == decimal else { return nil }
    self = value
  }
}

extension Decimal {
  /// Whether a store keeps all its digits (STO-243).
  package var fitsStore: Bool {
    significand.magnitude < Self.firstOf39Digits
      || DecimalNumeral(self).map { $0.digitCount <= DecimalNumeral.maximumDigits } ?? true
  }

  private static let firstOf39Digits = Decimal(sign: .plus, exponent: 38, significand: 1)
}
