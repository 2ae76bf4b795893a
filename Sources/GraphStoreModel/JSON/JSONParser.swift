/// Strict JSON parser that keeps the place of every value and key.
///
/// Works on UTF-8 bytes that are known to be valid. Values nest at most ``maximumDepth`` levels, so that no text can
/// exhaust the stack.
struct JSONParser {
  /// What is wrong with a text, and at which byte.
  struct Failure: Error {
    var offset: Int
    var message: String
  }

  /// The deepest nesting that is read.
  static let maximumDepth = 256

  /// So many members most objects of a model have at most.
  private static let usualMembers = 4

  private let bytes: [UInt8]
  private let maximumDepth: Int
  private var position: Int

  /// Reads a text that is one JSON value; a byte order mark before it is skipped.
  static func parse(
    _ bytes: [UInt8], maximumDepth: Int = Self.maximumDepth
  ) throws(Failure) -> JSONNode {
    var parser = JSONParser(bytes, maximumDepth: maximumDepth)
    parser.skipSpace()
    let node = try parser.value(depth: 0)
    parser.skipSpace()
    if parser.position < bytes.count { throw parser.failure("There is text after the end of the value.") }
    return node
  }

  private init(_ bytes: [UInt8], maximumDepth: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  private func failure(_ message: String, at offset: Int? = nil) -> Failure {
    Failure(offset: offset ?? position, message: message)
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  private mutating func value(depth: Int) throws(Failure) -> JSONNode {
    guard let first = current else { throw failure("A value is missing at the end of the text.") }
    let start = position
    switch first {
    case UInt8(ascii: "{"): return JSONNode(offset: start, content: .object(try object(depth: depth + 1)))
    case UInt8(ascii: "["): return JSONNode(offset: start, content: .array(try array(depth: depth + 1)))
    case UInt8(ascii: "\""): return JSONNode(offset: start, content: .string(try string()))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return JSONNode(offset: start, content: .number(try number()))
    case UInt8(ascii: "t"):
      try word("true")
      return JSONNode(offset: start, content: .bool(true))
    case UInt8(ascii: "f"):
      try word("false")
      return JSONNode(offset: start, content: .bool(false))
    case UInt8(ascii: "n"):
      try word("null")
      return JSONNode(offset: start, content: .null)
    case UInt8(ascii: "/"), UInt8(ascii: "#"): throw failure("JSON has no comments.")
    case UInt8(ascii: "'"): throw failure("Strings stand in double quotes.")
    default: throw failure("A value is expected here.")
    }
  }

  private mutating func word(_ text: StaticString) throws(Failure) {
    let count = text.utf8CodeUnitCount
    let matches =
      position + count <= bytes.count
      && (0..<count).allSatisfy { unsafe bytes[position + $0] == text.utf8Start[$0] }
    guard matches else { throw failure("A value is expected here.") }
    position += count
  }

  private mutating func object(depth: Int) throws(Failure) -> [JSONNode.Member] {
    guard depth <= maximumDepth else { throw failure("The text nests too deeply.") }
    position += 1
    var members: [JSONNode.Member] = []
    members.reserveCapacity(Self.usualMembers)
    skipSpace()
    if current == UInt8(ascii: "}") {
      position += 1
      return members
    }
    while true {
      let keyOffset = position
      guard current == UInt8(ascii: "\"") else {
        throw failure(
          current == UInt8(ascii: "}")
            ? "A comma may not stand before the closing brace." : "A key in double quotes is expected here.")
      }
      let key = try string()
      skipSpace()
      guard current == UInt8(ascii: ":") else { throw failure("A colon is expected after the key.") }
      position += 1
      skipSpace()
      members.append(
        JSONNode.Member(key: key, keyOffset: keyOffset, value: try value(depth: depth)))
      skipSpace()
      switch current {
      case UInt8(ascii: ","):
        position += 1
        skipSpace()
      case UInt8(ascii: "}"):
        position += 1
        return members
      case nil: throw failure("The object is not closed.")
      default: throw failure("A comma or a closing brace is expected here.")
      }
    }
  }

  private mutating func array(depth: Int) throws(Failure) -> [JSONNode] {
    guard depth <= maximumDepth else { throw failure("The text nests too deeply.") }
    position += 1
    var items: [JSONNode] = []
    skipSpace()
    if current == UInt8(ascii: "]") {
      position += 1
      return items
    }
    while true {
      if current == UInt8(ascii: "]") {
        throw failure("A comma may not stand before the closing bracket.")
      }
      items.append(try value(depth: depth))
      skipSpace()
      switch current {
      case UInt8(ascii: ","):
        position += 1
        skipSpace()
      case UInt8(ascii: "]"):
        position += 1
        return items
      case nil: throw failure("The list is not closed.")
      default: throw failure("A comma or a closing bracket is expected here.")
      }
    }
  }

  private mutating func number() throws(Failure) -> String {
    let start = position
    if current == UInt8(ascii: "-") { position += 1 }
    if current == UInt8(ascii: "0") {
      position += 1
    } else {
      try digits()
    }
    if current == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    if let next = current, next == UInt8(ascii: ".") || (0x30...0x39).contains(next) {
      throw failure("This is not a number.", at: start)
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func digits() throws(Failure) {
    let start = position
    while let byte = current, (0x30...0x39).contains(byte) { position += 1 }
    if position == start { throw failure("A digit is expected here.") }
  }

  private mutating func string() throws(Failure) -> String {
    let open = position
    position += 1
    let start = position
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: bytes[start..<position - 1], as: UTF8.self)
      case UInt8(ascii: "\\"): return try escapedString(open: open, start: start)
      case 0..<0x20: throw failure("A control character in a string is written as an escape.")
      default: position += 1
      }
    }
    throw failure("The string is not closed.", at: open)
  }

  private mutating func escapedString(open: Int, start: Int) throws(Failure) -> String {
    var text = Array(bytes[start..<position])
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0..<0x20: throw failure("A control character in a string is written as an escape.")
      default:
        text.append(byte)
        position += 1
      }
    }
    throw failure("The string is not closed.", at: open)
  }

  private mutating func escape(into text: inout [UInt8]) throws(Failure) {
    let start = position
    position += 1
    guard let kind = current else { throw failure("The string is not closed.", at: start) }
    position += 1
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(kind)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      var unit = try hexadecimal(start: start)
      if (0xD800..<0xDC00).contains(unit) {
        guard current == UInt8(ascii: "\\"), position + 1 < bytes.count,
          bytes[position + 1] == UInt8(ascii: "u")
        else { throw failure("Half of a character is missing after this escape.", at: start) }
        position += 2
        let low = try hexadecimal(start: start)
        guard (0xDC00..<0xE000).contains(low) else {
          throw failure("Half of a character is missing after this escape.", at: start)
        }
        unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(unit) else {
        throw failure("This escape is half of a character.", at: start)
      }
      text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    default: throw failure("There is no such escape.", at: start)
    }
  }

  private mutating func hexadecimal(start: Int) throws(Failure) -> UInt32 {
    guard position + 4 <= bytes.count,
      let value = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16),
      bytes[position] != UInt8(ascii: "+")
    else { throw failure("Four hexadecimal digits are expected after \\u.", at: start) }
    position += 4
    return value
  }
}
