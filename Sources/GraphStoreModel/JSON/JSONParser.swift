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
package struct JSONParser {
  /// Error of a text, with the byte it is at.
  package struct Failure: Error {
    package var offset: Int
    package var message: String

    package init(offset: Int, message: String) {
      self.offset = offset
      self.message = message
    }
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

  // MARK: Piece by piece

  /// A parser at the beginning of a text that is read piece by piece, so that no tree of all of it is made.
  ///
  /// - Throws: the place of the first byte that is not UTF-8.
  package init(checking bytes: [UInt8]) throws(Failure) {
    self.init(bytes, maximumDepth: Self.maximumDepth)
    if let offset = ModelSource(bytes, file: nil).firstInvalidByte {
      throw Failure(offset: offset, message: "The text is not UTF-8.")
    }
    skipSpace()
  }

  /// The offset of what is read next.
  package var offset: Int { position }

  /// The bytes from an offset to the present one.
  package func text(from start: Int) -> ArraySlice<UInt8> { bytes[start..<position] }

  /// Reads the value that begins here.
  package mutating func value() throws(Failure) -> JSONNode { try value(depth: 2) }

  /// Reads the object that begins here, member by member, until the body says false: what follows that member
  /// is not read then.
  ///
  /// - Parameter receive: Reads the value of a member, which begins at the parser's offset, whole; it gets
  ///   the key and the key's offset.
  package mutating func readMembers(
    _ receive: (inout JSONParser, String, Int) throws(Failure) -> Bool
  ) throws(Failure) {
    guard current == UInt8(ascii: "{") else { throw failure("An object is expected here.") }
    try eachMember(receive)
  }

  /// Reads the list that begins here, item by item.
  ///
  /// - Parameter receive: Reads an item, which begins at the parser's offset, whole.
  package mutating func readItems(_ receive: (inout JSONParser) throws(Failure) -> Void) throws(Failure) {
    guard current == UInt8(ascii: "[") else { throw failure("A list is expected here.") }
    try eachItem(receive)
  }

  /// Makes sure that nothing follows but white space.
  package mutating func readEnd() throws(Failure) {
    skipSpace()
    if position < bytes.count { throw failure("There is text after the end of the value.") }
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
    var members: [JSONNode.Member] = []
    members.reserveCapacity(Self.usualMembers)
    try eachMember { parser, key, keyOffset throws(Failure) in
      members.append(JSONNode.Member(key: key, keyOffset: keyOffset, value: try parser.value(depth: depth)))
      return true
    }
    return members
  }

  @inline(__always)
  private mutating func eachMember(
    _ receive: (inout JSONParser, String, Int) throws(Failure) -> Bool
  ) throws(Failure) {
    position += 1
    skipSpace()
    if current == UInt8(ascii: "}") {
      position += 1
      return
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
      guard try receive(&self, key, keyOffset) else { return }
      skipSpace()
      switch current {
      case UInt8(ascii: ","):
        position += 1
        skipSpace()
      case UInt8(ascii: "}"):
        position += 1
        return
      case nil: throw failure("The object is not closed.")
      default: throw failure("A comma or a closing brace is expected here.")
      }
    }
  }

  private mutating func array(depth: Int) throws(Failure) -> [JSONNode] {
    guard depth <= maximumDepth else { throw failure("The text nests too deeply.") }
    var items: [JSONNode] = []
    try eachItem { parser throws(Failure) in items.append(try parser.value(depth: depth)) }
    return items
  }

  @inline(__always)
  private mutating func eachItem(_ receive: (inout JSONParser) throws(Failure) -> Void) throws(Failure) {
    position += 1
    skipSpace()
    if current == UInt8(ascii: "]") {
      position += 1
      return
    }
    while true {
      if current == UInt8(ascii: "]") {
        throw failure("A comma may not stand before the closing bracket.")
      }
      try receive(&self)
      skipSpace()
      switch current {
      case UInt8(ascii: ","):
        position += 1
        skipSpace()
      case UInt8(ascii: "]"):
        position += 1
        return
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
