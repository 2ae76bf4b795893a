#if PostgreSQL
import Foundation
import GraphStorePredicates

/// Decimal in the server's binary form: groups of four digits.
struct PostgreSQLNumeric {
  private let groups: [UInt16]
  /// The power of 10,000 of the first group.
  private let weight: Int
  private let sign: UInt16
  private let scale: Int

  private static let negative: UInt16 = 0x4000
  private static let notANumber: UInt16 = 0xc000

  /// - Returns: Nil for bytes that are none.
  init?(binary bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= 8 else { return nil }
    func word(_ index: Int) -> UInt16 {
      unsafe UInt16(bytes[index * 2]) << 8 | UInt16(bytes[index * 2 + 1])
    }
    let count = Int(word(0))
    guard bytes.count == 8 + 2 * count else { return nil }
    weight = Int(Int16(bitPattern: word(1)))
    sign = word(2)
    scale = Int(word(3))
    groups = (0..<count).map { word(4 + $0) }
  }

  /// A decimal; NaN becomes the server's.
  init(_ decimal: Decimal) {
    guard let numeral = DecimalNumeral(decimal) else {
      (groups, weight, sign, scale) = ([], 0, Self.notANumber, 0)
      return
    }
    guard numeral.significand != 0 else {
      (groups, weight, sign, scale) = ([], 0, 0, 0)
      return
    }
    var digits = Array(String(numeral.significand).utf8).map { $0 - UInt8(ascii: "0") }
    var (power, rest) = numeral.exponent.quotientAndRemainder(dividingBy: 4)
    if rest < 0 {
      rest += 4
      power -= 1
    }
    digits += [UInt8](repeating: 0, count: rest)
    digits = [UInt8](repeating: 0, count: (4 - digits.count % 4) % 4) + digits
    groups = stride(from: 0, to: digits.count, by: 4).map { start in
      digits[start..<start + 4].reduce(UInt16(0)) { $0 * 10 + UInt16($1) }
    }
    weight = groups.count - 1 + power
    sign = numeral.isNegative ? Self.negative : 0
    scale = max(0, -numeral.exponent)
  }

  var bytes: [UInt8] {
    [UInt16(groups.count), UInt16(bitPattern: Int16(weight)), sign, UInt16(scale)].flatMap(\.networkBytes)
      + groups.flatMap(\.networkBytes)
  }

  /// The number; nil for one that is none, and for one with more digits than a decimal has room for.
  var numeral: DecimalNumeral? {
    guard sign == 0 || sign == Self.negative else { return nil }
    var digits = groups.flatMap { group in
      [group / 1000, group / 100 % 10, group / 10 % 10, group % 10].map { UInt8($0) }
    }
    var exponent = (weight - groups.count + 1) * 4
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    let significant = digits.drop { $0 == 0 }
    guard significant.count <= DecimalNumeral.maximumDigits else { return nil }
    let significand = significant.reduce(UInt128(0)) { $0 * 10 + UInt128($1) }
    if significand == 0 { return DecimalNumeral(0) }
    return DecimalNumeral(isNegative: sign == Self.negative, significand: significand, exponent: exponent)
  }

  /// The decimal; nil for what no decimal is.
  var decimal: Decimal? { numeral?.decimal }

  /// The nearest double, of numbers with more digits too.
  var nearestDouble: Double {
    guard sign == 0 || sign == Self.negative else { return .nan }
    let digits = groups.map { group in
      let text = String(group)
      return String(repeating: "0", count: 4 - text.count) + text
    }.joined()
    let text = (sign == 0 ? "" : "-") + "\(digits)e\((weight - groups.count + 1) * 4)"
    return Double(text) ?? .nan
  }
}
#endif
