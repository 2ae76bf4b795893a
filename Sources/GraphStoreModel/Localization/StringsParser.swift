/// Parser of strings files.
struct StringsParser {
  private let text: [Unicode.Scalar]
  private var position = 0

  init(_ text: [Unicode.Scalar]) { self.text = text }

  mutating func parse() throws(StringsFileError) -> [String: String] {
    var entries: [String: String] = [:]
    try skipBlanks()
    while position < text.count {
      let key = try string()
      try skip("=", "after the key")
      let value = try string()
      try skip(";", "after the value")
      entries[key] = value
    }
    return entries
  }

  /// Consumes one character with the blanks around it.
  private mutating func skip(_ scalar: Unicode.Scalar, _ place: String) throws(StringsFileError) {
    try skipBlanks()
    guard position < text.count, text[position] == scalar else {
      throw error("\"\(scalar)\" is expected \(place).")
    }
    position += 1
    try skipBlanks()
  }

  private mutating func skipBlanks() throws(StringsFileError) {
    while position < text.count {
      if text[position].properties.isWhitespace {
        position += 1
      } else if starts(with: "//") {
        while position < text.count, text[position] != "\n", text[position] != "\r" { position += 1 }
      } else if starts(with: "/*") {
        let start = position
        position += 2
        while position < text.count, !starts(with: "*/") { position += 1 }
        guard position < text.count else { throw error("The comment has no end.", at: start) }
        position += 2
      } else {
        return
      }
    }
  }

  private func starts(with pair: StaticString) -> Bool {
    unsafe position + 1 < text.count && text[position].value == UInt32(pair.utf8Start[0])
      && text[position + 1].value == UInt32(pair.utf8Start[1])
  }

  /// A text in quotes, or a bare word.
  private mutating func string() throws(StringsFileError) -> String {
    guard position < text.count, text[position] == "\"" else { return try word() }
    let start = position
    position += 1
    var units: [UInt16] = []
    while position < text.count {
      let scalar = text[position]
      position += 1
      switch scalar {
      case "\"":
        guard let text = String(validating: units, as: UTF16.self) else {
          throw error("An escape in this text is half a character.", at: start)
        }
        return text
      case "\\": units += try escape()
      default: units += UTF16.encode(scalar).map(Array.init) ?? []
      }
    }
    throw error("The text has no end.", at: start)
  }

  private mutating func word() throws(StringsFileError) -> String {
    var word = String.UnicodeScalarView()
    while position < text.count, isOfWord(text[position]) {
      word.append(text[position])
      position += 1
    }
    guard !word.isEmpty else { throw error("A text in double quotes is expected.") }
    return String(word)
  }

  private func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", ".", "-", "$": true
    default: false
    }
  }

  /// The characters of an escape, in UTF-16.
  private mutating func escape() throws(StringsFileError) -> [UInt16] {
    guard position < text.count else { throw error("The text has no end.") }
    let scalar = text[position]
    position += 1
    switch scalar {
    case "n": return [0x0A]
    case "t": return [0x09]
    case "r": return [0x0D]
    case "a": return [0x07]
    case "b": return [0x08]
    case "f": return [0x0C]
    case "v": return [0x0B]
    case "0"..."7":
      position -= 1
      return [try number(radix: 8, atMost: 3)]
    case "x": return [try number(radix: 16, atMost: 2)]
    case "u", "U": return [try number(radix: 16, atMost: 4)]
    default: return UTF16.encode(scalar).map(Array.init) ?? []
    }
  }

  private mutating func number(radix: Int, atMost count: Int) throws(StringsFileError) -> UInt16 {
    var value: UInt16?
    for _ in 0..<count {
      guard position < text.count, text[position].isASCII,
        let digit = Character(text[position]).hexDigitValue, digit < radix
      else { break }
      value = (value ?? 0) * UInt16(radix) + UInt16(digit)
      position += 1
    }
    guard let value else { throw error("A number is expected in this escape.") }
    return value
  }

  private func error(_ message: String, at place: Int? = nil) -> StringsFileError {
    let before = text[..<min(place ?? position, text.count)]
    let line = before.count { $0 == "\n" } + 1
    let lineStart = before.lastIndex(of: "\n").map { $0 + 1 } ?? 0
    return StringsFileError(message: message, line: line, column: before.count - lineStart + 1)
  }
}
