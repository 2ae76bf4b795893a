import Foundation

/// Dates as ISO 8601 text.
public enum ISO8601 {
  /// Reads a date, or a date and time with optional seconds, fraction and zone. Without a zone the text is UTC, and
  /// a date alone is its midnight. Nil for any other text.
  public static func date(_ text: String) -> Date? {
    var reader = Reader(Array(text.utf8))
    return reader.date()
  }

  /// Writes a date in UTC, with as many digits of a second as it needs.
  public static func text(_ date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    guard seconds.isFinite, abs(seconds) < 1e14 else { return String(seconds) }
    let whole = seconds.rounded(.down)
    let fraction = seconds - whole
    let total = Int(whole) + secondsFrom1970To2001
    let (days, secondOfDay) = total.flooredDivision(by: 86_400)
    let day = CivilDay(daysSince1970: days)
    var text =
      day.text + "T" + padded(secondOfDay / 3600) + ":" + padded(secondOfDay / 60 % 60) + ":"
      + padded(secondOfDay % 60)
    if fraction > 0 { text += "." + fractionDigits(fraction) }
    return text + "Z"
  }

  private static let secondsFrom1970To2001 = 978_307_200

  /// Nine digits of a fraction at most, without trailing zeros.
  private static func fractionDigits(_ fraction: Double) -> String {
    let billionths = min(Int((fraction * 1e9).rounded()), 999_999_999)
    var digits = String(billionths)
    digits = String(repeating: "0", count: 9 - digits.count) + digits
    while digits.count > 1, digits.hasSuffix("0") { digits.removeLast() }
    return digits
  }

  static func padded(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
    }

    mutating func date() -> Date? {
      guard let year = number(4), accept("-"), let month = number(2), accept("-"), let day = number(2),
        let days = CivilDay(year: year, month: month, day: day)?.daysSince1970
      else { return nil }
      var seconds = days * 86_400 - secondsFrom1970To2001
      var fraction = 0.0
      if position < bytes.count {
        guard accept("T") || accept("t") || accept(" "), let hour = number(2), hour < 24, accept(":"),
          let minute = number(2), minute < 60
        else { return nil }
        seconds += hour * 3600 + minute * 60
        if accept(":") {
          guard let second = number(2), second < 61 else { return nil }
          seconds += second
          if accept(".") || accept(",") {
            guard let read = readFraction() else { return nil }
            fraction = read
          }
        }
        guard let zone = readZone() else { return nil }
        seconds -= zone
      }
      guard position == bytes.count else { return nil }
      return Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
    }

    private mutating func accept(_ character: Unicode.Scalar) -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    private mutating func number(_ digits: Int) -> Int? {
      guard position + digits <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[position..<position + digits] {
        guard byte >= 48, byte <= 57 else { return nil }
        value = value * 10 + Int(byte) - 48
      }
      position += digits
      return value
    }

    private mutating func readFraction() -> Double? {
      let start = position
      while position < bytes.count, bytes[position] >= 48, bytes[position] <= 57 { position += 1 }
      guard position > start else { return nil }
      return Double("0." + String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func readZone() -> Int? {
      if position == bytes.count { return 0 }
      if accept("Z") || accept("z") { return 0 }
      let sign = accept("+") ? 1 : accept("-") ? -1 : 0
      guard sign != 0, let hours = number(2), hours < 24 else { return nil }
      if position == bytes.count { return sign * hours * 3600 }
      _ = accept(":")
      guard let minutes = number(2), minutes < 60 else { return nil }
      return sign * (hours * 3600 + minutes * 60)
    }
  }
}
