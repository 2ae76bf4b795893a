/// Strict JSON parser that makes a tree: every value and key with its position, for model files.
///
/// Works on UTF-8 bytes that are known to be valid. Values nest at most ``maximumDepth`` levels, so that no
/// text can exhaust the stack.
///
/// The command has a second parser, the pull parser `JSONReader` of records: it makes nothing, checks UTF-8
/// as it goes, reads texts that are not whole yet, and its errors are clauses for one line of data. Text
/// written by hand needs the tree, whole sentences and hints at comments and quotes; putting one on top of
/// the other would cost records time or models their messages. The grammar of numbers and escapes is shared:
/// ``JSONNumber``, ``JSONEscape``.
struct JSONParser {
  /// Error of a text, with the byte it is at.
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
    switch unsafe bytes.withUnsafeBufferPointer({ unsafe JSONNumber.scan($0, from: start) }) {
    case .number(let end, _): position = end
    case .leadingZero: throw failure("This is not a number.", at: start)
    case .missingDigit(let offset, _): throw failure("A digit is expected here.", at: offset)
    }
    if let next = current, next == UInt8(ascii: ".") || (0x30...0x39).contains(next) {
      throw failure("This is not a number.", at: start)
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
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
    switch unsafe bytes.withUnsafeBufferPointer({ unsafe JSONEscape.read($0, at: start) }) {
    case .character(let scalar, let end):
      text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      position = end
    case .endsBeforeKind: throw failure("The string is not closed.", at: start)
    case .endsInDigits, .badDigits:
      throw failure("Four hexadecimal digits are expected after \\u.", at: start)
    case .endsBeforeSecondHalf, .missingSecondHalf:
      throw failure("Half of a character is missing after this escape.", at: start)
    case .missingFirstHalf: throw failure("This escape is half of a character.", at: start)
    case .unknown: throw failure("There is no such escape.", at: start)
    }
  }
}
