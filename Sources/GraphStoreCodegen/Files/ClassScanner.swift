/// Scanner for the names of the classes that Swift sources declare, so that none is generated a second time.
///
/// It knows comments and texts, and nothing of conditions: a class inside `#if` counts.
public enum ClassScanner {
  /// The names of the classes that a source declares.
  public static func classes(in source: some StringProtocol) -> Set<String> {
    var names: Set<String> = []
    var tokens = SourceWords(Array(source.utf8))
    var previous = ""
    while let word = tokens.next() {
      if previous == "class" { names.insert(word) }
      previous = word
    }
    return names
  }
}

/// Tokens of a Swift source outside of comments and string literals; every other character is a word by
/// itself.
private struct SourceWords {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> String? {
    while place < bytes.count {
      if starts(with: "//") {
        skipLine()
      } else if starts(with: "/*") {
        skipComment()
      } else if bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "#") {
        if !skipText() { place += 1 }
      } else if Self.isLetter(bytes[place]) {
        return word()
      } else if bytes[place] <= 0x20 || bytes[place] == UInt8(ascii: "`") {
        place += 1
      } else {
        place += 1
        return String(UnicodeScalar(bytes[place - 1]))
      }
    }
    return nil
  }

  private mutating func word() -> String {
    let start = place
    while place < bytes.count, Self.isLetter(bytes[place]) { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func skipLine() {
    while place < bytes.count, bytes[place] != 0x0A { place += 1 }
  }

  private mutating func skipComment() {
    var depth = 0
    while place < bytes.count {
      if starts(with: "/*") {
        depth += 1
        place += 2
      } else if starts(with: "*/") {
        depth -= 1
        place += 2
        if depth == 0 { return }
      } else {
        place += 1
      }
    }
  }

  /// Skips a text with its number signs; false where none begins here.
  private mutating func skipText() -> Bool {
    var signs = 0
    while place + signs < bytes.count, bytes[place + signs] == UInt8(ascii: "#") { signs += 1 }
    let start = place + signs
    guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") else { return false }
    let fence = String(repeating: "#", count: signs)
    place = start
    let quotes = starts(with: "\"\"\"") ? "\"\"\"" : "\""
    place += quotes.utf8.count
    while place < bytes.count {
      if starts(with: quotes + fence) {
        place += quotes.utf8.count + signs
        return true
      }
      if starts(with: "\\" + fence) {
        place += 2 + signs
      } else if quotes == "\"", bytes[place] == 0x0A {
        return true
      } else {
        place += 1
      }
    }
    return true
  }

  private func starts(with text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...: true
    default: false
    }
  }
}
