/// Reads and prints dates as ISO 8601 text.
///
/// A date is a double: seconds from 2001-01-01 00:00 UTC. A printed date reads back to the same double. Years
/// are four digits, or outside 0000 to 9999 a sign and at least six digits; the calendar is the Gregorian one
/// throughout.
///
/// ```swift
/// if let seconds = DateText.seconds(from: "1815-12-10T12:00:00+01:00") {
///   print(DateText.text(of: seconds) ?? "-")  // 1815-12-10T11:00:00Z
/// }
/// ```
public enum DateText {
  /// Meaning of a time without zone or offset.
  public enum Zone: Sendable {
    /// It is UTC.
    case utcWhenAbsent
    /// It is not a date.
    case required
  }

  /// The dates that have a text: those of about a hundred thousand million years before and after 2001.
  public static let range: ClosedRange<Double> = -3.155e18...3.155e18

  /// The digits of a year that has a sign.
  static let signedYearDigits = 6...11

  static let secondsPerDay: Int64 = 86_400
  /// Days from 0000-03-01 to 2001-01-01.
  static let referenceDay: Int64 = 730_791

  /// Reads `2026-03-01`, `2026-03-01T12:30:00Z`, `2026-03-01T12:30:00.25+02:00`; a date alone is its midnight
  /// in UTC.
  ///
  /// - Returns: seconds from 2001-01-01 00:00 UTC, the nearest double; nil when the text is no date.
  public static func seconds(from text: String, zone: Zone = .utcWhenAbsent) -> Double? {
    var text = text
    return text.withUTF8 { unsafe seconds(from: $0, zone: zone) }
  }

  /// Reads a date from UTF-8 bytes; see ``seconds(from:zone:)-(String,_)``. Makes no strings for up to six
  /// digits of fraction.
  public static func seconds(from bytes: UnsafeBufferPointer<UInt8>, zone: Zone = .utcWhenAbsent) -> Double? {
    var reader = unsafe DateReader(bytes, zone: zone)
    return reader.read()
  }

  /// Prints a date in UTC with the fewest digits of fraction that read back to the same double.
  ///
  /// - Returns: nil when the date is outside ``range`` or not finite.
  public static func text(of seconds: Double) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    return append(seconds, to: &bytes) ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// Appends the text of a date; see ``text(of:)``.
  ///
  /// - Returns: false, with nothing appended, when the date is outside ``range`` or not finite.
  public static func append(_ seconds: Double, to bytes: inout [UInt8]) -> Bool {
    guard range.contains(seconds) else { return false }
    let floor = seconds.rounded(.down)
    let whole = Int64(floor)
    let day = (whole >= 0 ? whole : whole - secondsPerDay + 1) / secondsPerDay
    let time = whole - day * secondsPerDay
    let date = civil(day: day)
    appendYear(date.year, to: &bytes)
    appendTwo(date.month, after: UInt8(ascii: "-"), to: &bytes)
    appendTwo(date.day, after: UInt8(ascii: "-"), to: &bytes)
    appendTwo(time / 3600, after: UInt8(ascii: "T"), to: &bytes)
    appendTwo(time / 60 % 60, after: UInt8(ascii: ":"), to: &bytes)
    appendTwo(time % 60, after: UInt8(ascii: ":"), to: &bytes)
    if floor != seconds { appendFraction(of: seconds, to: &bytes) }
    bytes.append(UInt8(ascii: "Z"))
    return true
  }

  private static func appendYear(_ year: Int64, to bytes: inout [UInt8]) {
    var width = 4
    var rest = abs(year)
    if !(0...9999).contains(year) {
      bytes.append(year < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
      width = signedYearDigits.lowerBound
      var limit: Int64 = 1_000_000
      while rest >= limit {
        limit *= 10
        width += 1
      }
    }
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0x30, count: width))
    for position in stride(from: start + width - 1, through: start, by: -1) {
      bytes[position] = UInt8(0x30 + rest % 10)
      rest /= 10
    }
  }

  private static func appendTwo(_ number: Int64, after separator: UInt8, to bytes: inout [UInt8]) {
    bytes.append(separator)
    bytes.append(UInt8(0x30 + number / 10))
    bytes.append(UInt8(0x30 + number % 10))
  }

  /// Appends the fraction: the digits of the shortest text of the double, counted from the second before.
  private static func appendFraction(of seconds: Double, to bytes: inout [UInt8]) {
    var digits = fractionDigits(of: abs(seconds))
    if seconds < 0 {
      // 1 minus the fraction: every digit from 9, the last one from 10.
      for position in digits.indices.dropLast() { digits[position] = 0x69 - digits[position] }
      if let last = digits.last { digits[digits.count - 1] = 0x6A - last }
    }
    bytes.append(UInt8(ascii: "."))
    bytes.append(contentsOf: digits)
  }

  /// The digits after the point in the shortest text that reads back to a positive number with a fraction.
  private static func fractionDigits(of number: Double) -> [UInt8] {
    let text = Array(number.description.utf8)
    guard let mark = text.firstIndex(of: UInt8(ascii: "e")) else {
      let point = text.firstIndex(of: UInt8(ascii: ".")) ?? text.count
      return Array(text[min(point + 1, text.count)...])
    }
    let power = Int(String(decoding: text[(mark + 1)...], as: UTF8.self)) ?? 0
    let mantissa = text[..<mark].filter { $0 != UInt8(ascii: ".") }
    let significant = mantissa.last == 0x30 && mantissa.count == 2 ? Array(mantissa.dropLast()) : mantissa
    return Array(repeating: 0x30, count: max(0, -power - 1)) + significant
  }

  /// The midnight of a day in UTC, in seconds from 2001-01-01 on; nil for a day that there is not.
  package static func midnight(year: Int64, month: Int64, day: Int64) -> Double? {
    existingDay(year: year, month: month, day: day).map { Double($0 * secondsPerDay) }
  }

  /// The day number of a date; nil for a day that its month does not have.
  static func existingDay(year: Int64, month: Int64, day: Int64) -> Int64? {
    guard (1...12).contains(month), day >= 1, day <= DateReader.days(in: month, of: year) else { return nil }
    return self.day(year: year, month: month, day: day)
  }

  /// The day number of a date, 0 for 2001-01-01.
  static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - referenceDay
  }

  static func civil(day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + referenceDay
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthIndex = (5 * dayOfYear + 2) / 153
    let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthIndex + 2) / 5 + 1)
  }
}
