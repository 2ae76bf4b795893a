import Foundation
import GraphStore

extension OutputBuffer {
  /// A date as ISO 8601 text: `2021-03-01T00:00:00Z`, with as many digits behind the seconds as it takes to
  /// get the same number back, and in another zone with its offset. Years beyond 9999 and before 0 have a
  /// sign and six digits or more.
  ///
  /// What lies beyond the dates that have a text is written as its number of seconds.
  ///
  /// - Parameter seconds: Seconds since 2001-01-01 00:00:00 UTC.
  package func append(date seconds: Double, in zone: TimeZone? = nil) {
    guard DateText.range.contains(seconds) else {
      if seconds.isFinite { append(double: seconds) } else { append(nonFinite: seconds) }
      return
    }
    let whole = seconds.rounded(.down)
    var local = Int64(whole)
    var offset: Int64 = 0
    if let zone {
      offset = Int64(zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: seconds)))
      local += offset
    }
    appendCalendar(local)
    if whole != seconds { append(DateFraction.digits(of: seconds)) }
    if zone == nil { append(byte: UInt8(ascii: "Z")) } else { append(zoneOffset: offset) }
  }

  /// Date and time of day of a number of seconds since 2001.
  private func appendCalendar(_ seconds: Int64) {
    let days = seconds.dividedDown(by: 86_400)
    let second = seconds - days * 86_400
    // Days are counted from 0000-03-01, so that the leap day is the last of its year; 730_791 is 2001-01-01
    // so counted.
    let shifted = days + 730_791
    let era = shifted.dividedDown(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    append(year: year)
    reserve(15)
    append(byte: UInt8(ascii: "-"))
    append(pair: month)
    append(byte: UInt8(ascii: "-"))
    append(pair: day)
    append(byte: UInt8(ascii: "T"))
    append(pair: second / 3600)
    append(byte: UInt8(ascii: ":"))
    append(pair: second / 60 % 60)
    append(byte: UInt8(ascii: ":"))
    append(pair: second % 60)
  }

  private func append(year: Int64) {
    if (0...9999).contains(year) {
      append(pair: year / 100)
      append(pair: year % 100)
      return
    }
    append(byte: UInt8(ascii: year < 0 ? "-" : "+"))
    let magnitude = Int64(year.magnitude)
    var padding: Int64 = 100_000
    while padding > magnitude, padding > 1 {
      append(byte: UInt8(ascii: "0"))
      padding /= 10
    }
    append(integer: magnitude)
  }

  /// A number below 100 as two digits.
  @inline(__always)
  private func append(pair number: Int64) {
    reserve(2)
    unsafe cursor[0] = 0x30 &+ UInt8(truncatingIfNeeded: number / 10)
    unsafe cursor[1] = 0x30 &+ UInt8(truncatingIfNeeded: number % 10)
    advance(2)
  }

  private func append(zoneOffset offset: Int64) {
    append(byte: UInt8(ascii: offset < 0 ? "-" : "+"))
    let magnitude = Int64(offset.magnitude)
    append(pair: magnitude / 3600)
    append(byte: UInt8(ascii: ":"))
    append(pair: magnitude / 60 % 60)
    if magnitude % 60 != 0 {
      append(byte: UInt8(ascii: ":"))
      append(pair: magnitude % 60)
    }
  }
}

extension Int64 {
  /// The quotient rounded towards minus infinity.
  fileprivate func dividedDown(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

/// The digits behind the seconds of a date.
enum DateFraction {
  /// `.25` for a date 0.25 s after a full second: the fewest digits that give the same double back, however a
  /// reader puts them together (as one decimal number, or as whole seconds plus a fraction).
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

  /// The fraction of the shortest decimal number that gives `seconds`, for numbers so near to 0 that no few
  /// digits do.
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
