/// Nesting depth of the elements of an XML text, by a scan that builds nothing.
struct MarkupNesting {
  private let bytes: [UInt8]
  private var position = 0

  /// Whether the elements nest at most to a depth. False also for markup that does not end, and for a
  /// document type with declarations of its own, whose entities could grow without bound.
  static func isAtMost(_ maximum: Int, in bytes: [UInt8]) -> Bool {
    var nesting = Self(bytes: bytes)
    return nesting.staysWithin(maximum)
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func staysWithin(_ maximum: Int) -> Bool {
    var depth = 0
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = start
      if begins("<!--") {
        guard skip(past: "-->") else { return false }
      } else if begins("<![CDATA[") {
        guard skip(past: "]]>") else { return false }
      } else if begins("<?") {
        guard skip(past: "?>") else { return false }
      } else if begins("<!") {
        guard skip(past: ">"), !bytes[start..<position].contains(UInt8(ascii: "[")) else { return false }
      } else if begins("</") {
        guard skip(past: ">") else { return false }
        depth -= 1
      } else {
        depth += 1
        guard depth <= maximum, skipTag() else { return false }
        if bytes[position - 2] == UInt8(ascii: "/") { depth -= 1 }
      }
    }
    return true
  }

  private func begins(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  private mutating func skip(past text: String) -> Bool {
    while position < bytes.count {
      if begins(text) {
        position += text.utf8.count
        return true
      }
      position += 1
    }
    return false
  }

  /// Skips a start tag; its quoted values may hold any character.
  private mutating func skipTag() -> Bool {
    var quote: UInt8?
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return true
      }
    }
    return false
  }
}
