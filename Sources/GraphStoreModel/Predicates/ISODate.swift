import Foundation

/// Reads dates in the forms of ISO 8601 that predicates take (PRD-072).
enum ISODate {
  /// The moment a text names: a date, or date and time with an optional fraction and zone. Without a zone
  /// UTC counts; a date alone is its midnight.
  static func date(in text: String) -> Date? {
    var reader = Reader(bytes: Array(text.utf8))
    let isNegative = reader.take(0x2d)
    guard let year = reader.digits(4), reader.take(0x2d), let month = reader.digits(2), reader.take(0x2d),
      let day = reader.digits(2), (1...12).contains(month),
      (1...daysInMonth(month, of: isNegative ? -year : year)).contains(day)
    else { return nil }
    let days = daysFrom2001(isNegative ? -year : year, month, day)
    if reader.isAtEnd { return Date(timeIntervalSinceReferenceDate: Double(days * 86_400)) }
    guard reader.take(0x54) || reader.take(0x74) || reader.take(0x20), let hour = reader.digits(2),
      reader.take(0x3a), let minute = reader.digits(2), hour < 24, minute < 60
    else { return nil }
    var seconds = days * 86_400 + hour * 3_600 + minute * 60
    var fraction = 0.0
    if reader.take(0x3a) {
      guard let second = reader.digits(2), second < 61 else { return nil }
      seconds += second
      if reader.take(0x2e) || reader.take(0x2c) {
        guard let found = reader.fraction() else { return nil }
        fraction = found
      }
    }
    guard let offset = reader.zone(), reader.isAtEnd else { return nil }
    return Date(timeIntervalSinceReferenceDate: Double(seconds - offset) + fraction)
  }

  private static func daysInMonth(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func daysFrom2001(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 730_791
  }

  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func take(_ byte: UInt8) -> Bool {
      guard position < bytes.count, bytes[position] == byte else { return false }
      position += 1
      return true
    }

    mutating func digits(_ count: Int) -> Int? {
      guard position + count <= bytes.count else { return nil }
      var number = 0
      for byte in bytes[position..<(position + count)] {
        guard (0x30...0x39).contains(byte) else { return nil }
        number = number * 10 + Int(byte - 0x30)
      }
      position += count
      return number
    }

    mutating func fraction() -> Double? {
      let start = position
      while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
      guard position > start else { return nil }
      return Double("0." + String(decoding: bytes[start..<position], as: UTF8.self))
    }

    /// Seconds east of UTC.
    mutating func zone() -> Int? {
      if isAtEnd || take(0x5a) || take(0x7a) { return 0 }
      let isWest = take(0x2d)
      guard isWest || take(0x2b), let hours = digits(2) else { return nil }
      _ = take(0x3a)
      let minutes = isAtEnd ? 0 : digits(2)
      guard let minutes, hours < 24, minutes < 60 else { return nil }
      return (hours * 3_600 + minutes * 60) * (isWest ? -1 : 1)
    }
  }
}
