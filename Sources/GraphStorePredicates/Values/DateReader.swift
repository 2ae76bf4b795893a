/// Parser of one ISO 8601 date, on bytes.
@safe struct DateReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let zone: DateText.Zone
  private var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, zone: DateText.Zone) {
    unsafe self.bytes = unsafe bytes
    self.zone = zone
  }

  mutating func read() -> Double? {
    guard let day = readDay() else { return nil }
    let midnight = day * DateText.secondsPerDay
    guard unsafe position < bytes.count else { return checked(Double(midnight)) }
    guard consume("T") || consume("t") || consume(" "), let time = readTime() else { return nil }
    let fraction = position
    guard skipFraction() else { return nil }
    let fractionEnd = position
    guard let offset = readZone(), unsafe position == bytes.count else { return nil }
    let whole = midnight + time - offset
    guard fractionEnd > fraction else { return checked(Double(whole)) }
    return checked(value(whole, fraction: fraction + 1..<fractionEnd))
  }

  private func checked(_ seconds: Double) -> Double? {
    DateText.range.contains(seconds) ? seconds : nil
  }

  private mutating func consume(_ character: Unicode.Scalar) -> Bool {
    guard unsafe position < bytes.count, unsafe UInt32(bytes[position]) == character.value else {
      return false
    }
    position += 1
    return true
  }

  private mutating func number(digits: Int) -> Int64? {
    guard unsafe position + digits <= bytes.count else { return nil }
    var value: Int64 = 0
    for _ in 0..<digits {
      let digit = unsafe bytes[position] &- 0x30
      guard digit < 10 else { return nil }
      value = value * 10 + Int64(digit)
      position += 1
    }
    return value
  }

  private mutating func readDay() -> Int64? {
    var sign: Int64 = 1
    var width = 4
    if consume("+") {
      width = signedYearWidth
    } else if consume("-") {
      sign = -1
      width = signedYearWidth
    }
    guard let year = number(digits: width), consume("-"), let month = number(digits: 2), consume("-"),
      let day = number(digits: 2)
    else { return nil }
    return DateText.existingDay(year: sign * year, month: month, day: day)
  }

  /// The number of digits of a year after a sign, if that is a number it can have.
  private var signedYearWidth: Int {
    let digits = unsafe bytes[position...].prefix { $0 &- 0x30 < 10 }.count
    return min(max(digits, DateText.signedYearDigits.lowerBound), DateText.signedYearDigits.upperBound)
  }

  static func days(in month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private mutating func readTime() -> Int64? {
    guard let hour = number(digits: 2), hour < 24, consume(":"), let minute = number(digits: 2), minute < 60
    else { return nil }
    guard consume(":") else { return hour * 3600 + minute * 60 }
    guard let second = number(digits: 2), second < 60 else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  private mutating func skipFraction() -> Bool {
    guard consume(".") || consume(",") else { return true }
    let start = position
    while unsafe position < bytes.count, unsafe bytes[position] &- 0x30 < 10 { position += 1 }
    return position > start
  }

  /// The offset from UTC in seconds; nil when there is none where one is needed, or it is not one.
  private mutating func readZone() -> Int64? {
    if unsafe position == bytes.count { return zone == .utcWhenAbsent ? 0 : nil }
    if consume("Z") || consume("z") { return 0 }
    let sign: Int64
    if consume("+") {
      sign = 1
    } else if consume("-") {
      sign = -1
    } else {
      return nil
    }
    guard let hours = number(digits: 2), hours < 24 else { return nil }
    guard unsafe position < bytes.count else { return sign * hours * 3600 }
    let hasColon = consume(":")
    guard let minutes = number(digits: 2), minutes < 60 else { return nil }
    // Local times of before the zones of railways had offsets of odd seconds.
    guard hasColon, consume(":") else { return sign * (hours * 3600 + minutes * 60) }
    guard let seconds = number(digits: 2), seconds < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60 + seconds)
  }

  /// The double nearest to a whole number of seconds and a fraction after it.
  private func value(_ whole: Int64, fraction: Range<Int>) -> Double {
    var end = fraction.upperBound
    while end > fraction.lowerBound, unsafe bytes[end - 1] == 0x30 { end -= 1 }
    let digits = unsafe bytes[fraction.lowerBound..<end]
    guard unsafe !digits.isEmpty else { return Double(whole) }
    // Both numbers are exact as doubles, so their quotient is rounded once.
    if unsafe digits.count <= 6, abs(whole) < 9_000_000_000 {
      let scale = unsafe Self.powers[digits.count]
      let total = unsafe digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) } + whole * scale
      return Double(total) / Double(scale)
    }
    return unsafe slowValue(whole, digits: Array(digits))
  }

  private static let powers: [Int64] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]

  private func slowValue(_ whole: Int64, digits: [UInt8]) -> Double {
    var digits = digits
    var units = whole
    if whole < 0 {
      units = -whole - 1
      for position in digits.indices.dropLast() { digits[position] = 0x69 - digits[position] }
      digits[digits.count - 1] = 0x6A - digits[digits.count - 1]
    }
    let text = "\(whole < 0 ? "-" : "")\(units)." + String(decoding: digits, as: UTF8.self)
    return Double(text) ?? Double(whole)
  }
}
