import Foundation
import GraphStorePredicates

/// The digits behind the seconds of a date.
enum DateFraction {
  /// `.25` for a date 0.25 s after a full second: the fewest digits that give the same double back, however a reader puts
  /// them together (as one decimal number, or as whole seconds plus a fraction).
  static func digits(of seconds: Double) -> [UInt8] {
    let whole = seconds.rounded(.down)
    let rest = seconds - whole
    var scale = 10.0
    var scaleInteger: Int64 = 10
    for places in 1...15 {
      let units = (rest * scale).rounded()
      // Both whole numbers are exact, so their quotient is the fraction as a reader gets it.
      if units < scale, whole + units / scale == seconds,
        gives(seconds, whole: Int64(whole), units: Int64(units), scale: scaleInteger, places: places)
      {
        return padded(Int64(units), places)
      }
      scale *= 10
      scaleInteger *= 10
    }
    return exact(seconds)
  }

  /// Whether the decimal number `whole + units / scale`, rounded once, is `seconds`.
  private static func gives(_ seconds: Double, whole: Int64, units: Int64, scale: Int64, places: Int) -> Bool
  {
    let decimal = Int128(whole) * Int128(scale) + Int128(units)
    if decimal.magnitude < 1 << 53 { return Double(Int64(decimal)) / Double(scale) == seconds }
    return unsafe strtod("\(decimal)e-\(places)", nil) == seconds
  }

  private static func padded(_ units: Int64, _ places: Int) -> [UInt8] {
    let text = String(units)
    return Array(("." + String(repeating: "0", count: places - text.count) + text).utf8)
  }

  /// The fraction of the shortest decimal number that gives `seconds`, for numbers so near to 0 that no few digits do.
  private static func exact(_ seconds: Double) -> [UInt8] {
    let numeral = DecimalNumeral(shortestTextOf: seconds.magnitude)
    let digits = Array(String(numeral.significand).utf8)
    let integerCount = digits.count + numeral.exponent
    var fraction =
      integerCount >= 0
      ? Array(digits.dropFirst(integerCount))
      : Array(repeating: UInt8(ascii: "0"), count: -integerCount) + digits
    while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
    if seconds < 0 { complement(&fraction) }
    return [UInt8(ascii: ".")] + fraction
  }

  /// The digits of 1 minus the fraction: a date before 2001 counts up from the full second before it.
  private static func complement(_ digits: inout [UInt8]) {
    guard let last = digits.indices.last else { return }
    for index in digits.indices {
      let digit = digits[index] - 0x30
      digits[index] = 0x30 + (index == last ? 10 - digit : 9 - digit)
    }
  }
}
