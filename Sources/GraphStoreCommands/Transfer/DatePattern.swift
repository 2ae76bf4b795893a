import GraphStore

/// Pattern of dates, as `%d.%m.%Y %H:%M`, in the letters of `strptime`: `%Y` a year of four digits, `%y` of
/// two (1969 to 2068), `%m` a month, `%b` its English name or the first three letters, `%d` a day, `%H`, `%M`
/// and `%S` the time, with a fraction behind seconds, `%z` an offset from UTC, `%%` a percent sign. A time
/// without an offset is UTC.
struct DatePattern: Sendable {
  private enum Part: Sendable {
    case literal(UInt8)
    case field(UInt8)
  }

  /// The pattern as it was given.
  let text: String
  private let parts: [Part]

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
  ].map { Array($0.utf8) }

  /// Reads a pattern; nil for a letter that means nothing, and for one that says no day.
  init?(_ text: String) {
    var parts: [Part] = []
    var letters: Set<UInt8> = []
    var bytes = text.utf8.makeIterator()
    while let byte = bytes.next() {
      guard byte == UInt8(ascii: "%") else {
        parts.append(.literal(byte))
        continue
      }
      guard let letter = bytes.next() else { return nil }
      if letter == UInt8(ascii: "%") {
        parts.append(.literal(letter))
        continue
      }
      guard "YymbdHMSz".utf8.contains(letter), letters.insert(letter).inserted else { return nil }
      parts.append(.field(letter))
    }
    let isDay = [["Y", "y"], ["m", "b"], ["d"]].allSatisfy { names in
      names.contains { letters.contains($0.utf8.first ?? 0) }
    }
    guard isDay else { return nil }
    self.text = text
    self.parts = parts
  }

  /// Seconds since 2001 of a text of the pattern; nil for another one, and for a day that there is not.
  func seconds(of bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    var text = unsafe DigitReader(bytes)
    var date = (year: 0, month: 0, day: 0)
    var (hour, minute, second, offset) = (0, 0, 0.0, 0)
    for part in parts {
      switch part {
      case .literal(let byte): guard text.accept(byte) else { return nil }
      case .field(UInt8(ascii: "Y")):
        guard let year = text.number(digits: 4...4) else { return nil }
        date.year = year
      case .field(UInt8(ascii: "y")):
        guard let year = text.number(digits: 2...2) else { return nil }
        date.year = year + (year < 69 ? 2000 : 1900)
      case .field(UInt8(ascii: "m")):
        guard let month = text.number(digits: 1...2) else { return nil }
        date.month = month
      case .field(UInt8(ascii: "b")):
        guard let month = text.word(of: Self.months) else { return nil }
        date.month = month + 1
      case .field(UInt8(ascii: "d")):
        guard let day = text.number(digits: 1...2) else { return nil }
        date.day = day
      case .field(UInt8(ascii: "H")):
        guard let number = text.number(digits: 1...2), number < 24 else { return nil }
        hour = number
      case .field(UInt8(ascii: "M")):
        guard let number = text.number(digits: 1...2), number < 60 else { return nil }
        minute = number
      case .field(UInt8(ascii: "S")):
        guard let number = text.number(digits: 1...2), number < 60 else { return nil }
        second = Double(number) + text.fraction()
      case .field:
        guard let seconds = text.offset() else { return nil }
        offset = seconds
      }
    }
    guard text.isAtEnd,
      let day = DateText.midnight(
        year: Int64(date.year), month: Int64(date.month), day: Int64(date.day))
    else { return nil }
    return day + Double(hour * 3600 + minute * 60 - offset) + second
  }
}

/// Cursor over the bytes of a date.
@safe private struct DigitReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe self.bytes = unsafe bytes }

  var isAtEnd: Bool { unsafe position == bytes.count }

  private var next: UInt8? { unsafe position < bytes.count ? unsafe bytes[position] : nil }

  mutating func accept(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  mutating func number(digits: ClosedRange<Int>) -> Int? {
    var (number, count) = (0, 0)
    while count < digits.upperBound, let byte = next, (0x30...0x39).contains(byte) {
      number = number * 10 + Int(byte - 0x30)
      position += 1
      count += 1
    }
    return digits.contains(count) ? number : nil
  }

  /// The fraction behind a point or a comma; 0 for none.
  mutating func fraction() -> Double {
    guard let mark = next, mark == UInt8(ascii: ".") || mark == UInt8(ascii: ","),
      unsafe position + 1 < bytes.count, unsafe (0x30...0x39).contains(bytes[position + 1])
    else { return 0 }
    position += 1
    var (value, scale) = (0.0, 1.0)
    while let byte = next, (0x30...0x39).contains(byte) {
      if scale < 1e9 {
        value = value * 10 + Double(byte - 0x30)
        scale *= 10
      }
      position += 1
    }
    return value / scale
  }

  /// The index of a word, written out or in its first three letters, in any case.
  mutating func word(of words: [[UInt8]]) -> Int? {
    let letters = unsafe bytes[position...].prefix { (0x41...0x5A).contains($0 & ~0x20) }.map { $0 | 0x20 }
    guard let index = words.firstIndex(where: { $0 == letters || Array($0.prefix(3)) == letters }) else {
      return nil
    }
    position += letters.count
    return index
  }

  /// The seconds of `+02:00`, `-0330` or `Z`.
  mutating func offset() -> Int? {
    if accept(UInt8(ascii: "Z")) || accept(UInt8(ascii: "z")) { return 0 }
    let isNegative = next == UInt8(ascii: "-")
    guard accept(UInt8(ascii: "+")) || accept(UInt8(ascii: "-")), let hours = number(digits: 2...2),
      hours < 24
    else { return nil }
    _ = accept(UInt8(ascii: ":"))
    let minutes = isAtEnd ? 0 : number(digits: 2...2)
    guard let minutes, minutes < 60 else { return nil }
    return (isNegative ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}
