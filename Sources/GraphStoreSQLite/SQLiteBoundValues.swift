/// Reader of bound values: SQLite hands them out in the text of a statement alone, at the places of the
/// parameters.
///
/// Both texts are read side by side. They are alike but for the parameters.
struct SQLiteBoundValues {
  private let text: [UInt8]
  private let expanded: [UInt8]
  private let timestamps: Set<Int>
  private var place = 0
  private var expandedPlace = 0
  private var last = 0
  private var found: [Int: SQLiteLoggedValue] = [:]

  /// The values in the order of the parameters; those that the text does not name are missing values.
  ///
  /// - Parameters:
  ///   - text: The text with parameters.
  ///   - expanded: The text with values.
  ///   - timestamps: The numbers of the parameters that are dates.
  static func values(
    of text: [UInt8], in expanded: [UInt8], timestamps: Set<Int>
  ) -> [SQLiteLoggedValue] {
    var reader = SQLiteBoundValues(text, expanded, timestamps)
    reader.read()
    let count = reader.found.keys.max() ?? 0
    return count == 0 ? [] : (1...count).map { reader.found[$0] ?? .null }
  }

  private init(_ text: [UInt8], _ expanded: [UInt8], _ timestamps: Set<Int>) {
    self.text = text
    self.expanded = expanded
    self.timestamps = timestamps
  }

  private mutating func read() {
    while place < text.count, expandedPlace < expanded.count {
      let byte = text[place]
      switch byte {
      case UInt8(ascii: "?"): readParameter()
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): passQuoted(by: byte)
      default:
        place += 1
        expandedPlace += 1
      }
    }
  }

  /// Passes over a name or a constant in quotes, which is the same in both; a doubled quote begins another.
  private mutating func passQuoted(by quote: UInt8) {
    let start = place
    place += 1
    while place < text.count, text[place] != quote { place += 1 }
    place = min(place + 1, text.count)
    expandedPlace += place - start
  }

  private mutating func readParameter() {
    let isList = text[..<place].ends(with: "json_each(".utf8)
    place += 1
    var number = 0
    while place < text.count, let digit = Self.digit(text[place]) {
      number = number * 10 + digit
      place += 1
    }
    if number == 0 { number = last + 1 }
    last = max(last, number)
    let value = readValue()
    switch value {
    case .text(let text) where isList: found[number] = .list(text)
    case .double(let seconds) where timestamps.contains(number): found[number] = .timestamp(seconds)
    default: found[number] = value
    }
  }

  private mutating func readValue() -> SQLiteLoggedValue {
    switch expanded[expandedPlace] {
    case UInt8(ascii: "'"): return .text(readText())
    case UInt8(ascii: "x"): return .blob(readBytes())
    case UInt8(ascii: "z"): return .blob(readZeros())
    default: return readWord()
    }
  }

  /// A text in quotes, where two quotes stand for one.
  private mutating func readText() -> String {
    var bytes: [UInt8] = []
    expandedPlace += 1
    while expandedPlace < expanded.count {
      if expanded[expandedPlace] == UInt8(ascii: "'") {
        expandedPlace += 1
        guard expandedPlace < expanded.count, expanded[expandedPlace] == UInt8(ascii: "'") else { break }
      }
      bytes.append(expanded[expandedPlace])
      expandedPlace += 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The number of bytes that are written as `x'…'`.
  private mutating func readBytes() -> Int {
    let start = expandedPlace + 2
    let end = expanded[min(start, expanded.count)...].firstIndex(of: UInt8(ascii: "'")) ?? expanded.count
    expandedPlace = min(end + 1, expanded.count)
    return max(0, end - start) / 2
  }

  /// The number of bytes that are written as `zeroblob(N)`.
  private mutating func readZeros() -> Int {
    let end = expanded[expandedPlace...].firstIndex(of: UInt8(ascii: ")")) ?? expanded.count
    let digits = expanded[expandedPlace..<end].filter { Self.digit($0) != nil }
    expandedPlace = min(end + 1, expanded.count)
    return Int(String(decoding: digits, as: UTF8.self)) ?? 0
  }

  /// A number, or NULL. A sign belongs to it at its beginning and behind an exponent's letter.
  private mutating func readWord() -> SQLiteLoggedValue {
    let start = expandedPlace
    while expandedPlace < expanded.count {
      let byte = expanded[expandedPlace]
      let isSign = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      let follows = expandedPlace == start || expanded[expandedPlace - 1] | 0x20 == UInt8(ascii: "e")
      guard Self.isWord(byte) || isSign && follows else { break }
      expandedPlace += 1
    }
    let word = String(decoding: expanded[start..<expandedPlace], as: UTF8.self)
    return Int64(word).map { .integer($0) } ?? Double(word).map { .double($0) } ?? .null
  }

  private static func digit(_ byte: UInt8) -> Int? {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? Int(byte - UInt8(ascii: "0")) : nil
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return digit(byte) != nil || byte == UInt8(ascii: ".")
      || letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
  }
}

extension ArraySlice<UInt8> {
  fileprivate func ends(with end: String.UTF8View) -> Bool { suffix(end.count).elementsEqual(end) }
}
