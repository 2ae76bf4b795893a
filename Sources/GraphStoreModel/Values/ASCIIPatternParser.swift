/// Parser of regular expressions, as far as they are a plain sequence.
struct ASCIIPatternParser {
  /// A character or class, and how often it may occur; `most` is nil for any number.
  struct Item {
    let characters: ASCIISet
    let least: Int
    let most: Int?
  }

  private static let special = Set("\\^$.|?*+()[]{}".utf8)
  private let bytes: [UInt8]
  private var position = 0
  private var end: Int

  /// An expression that begins with `^` or ends in `$` matches whole texts as it does without them.
  init(_ expression: String) {
    bytes = Array(expression.utf8)
    end = bytes.count
    if bytes.first == UInt8(ascii: "^") { position = 1 }
    if end > position, bytes[end - 1] == UInt8(ascii: "$"), !isEscaped(end - 1) { end -= 1 }
  }

  private func isEscaped(_ place: Int) -> Bool {
    var backslashes = 0
    while place - backslashes > 0, bytes[place - backslashes - 1] == UInt8(ascii: "\\") { backslashes += 1 }
    return backslashes % 2 == 1
  }

  /// Whether the whole expression was understood.
  var isAtEnd: Bool { position == end }

  private var current: UInt8? { position < end ? bytes[position] : nil }

  private mutating func consume(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// The next item; nil at the end, or at something that only ICU understands, which the position then stays
  /// at.
  mutating func next() -> Item? {
    let start = position
    if let characters = characters(), let (least, most) = quantifier() {
      return Item(characters: characters, least: least, most: most)
    }
    position = start
    return nil
  }

  private mutating func characters() -> ASCIISet? {
    guard let byte = current else { return nil }
    if consume("[") { return characterClass() }
    if consume(".") { return ASCIISet.empty.inverted }
    if byte == UInt8(ascii: "\\") { return escape() }
    guard isPrintable(byte), !Self.special.contains(byte) else { return nil }
    position += 1
    return ASCIISet(ranges: [byte...byte])
  }

  private func isPrintable(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }

  private func isLetterOrDigit(_ byte: UInt8) -> Bool {
    ASCIISet.wordCharacters.contains(byte) && byte != UInt8(ascii: "_")
  }

  private mutating func escape() -> ASCIISet? {
    guard position + 1 < end else { return nil }
    let byte = bytes[position + 1]
    position += 2
    switch byte {
    case UInt8(ascii: "d"): return .digits
    case UInt8(ascii: "D"): return ASCIISet.digits.inverted
    case UInt8(ascii: "w"): return .wordCharacters
    case UInt8(ascii: "W"): return ASCIISet.wordCharacters.inverted
    case UInt8(ascii: "s"): return .space
    case UInt8(ascii: "S"): return ASCIISet.space.inverted
    default:
      return isPrintable(byte) && !isLetterOrDigit(byte) ? ASCIISet(ranges: [byte...byte]) : nil
    }
  }

  /// A class without other classes or set operations in it, behind its bracket.
  private mutating func characterClass() -> ASCIISet? {
    let isNegated = consume("^")
    var set = ASCIISet.empty
    var isFirst = true
    while let byte = current {
      if byte == UInt8(ascii: "]") {
        guard !isFirst else { return nil }
        position += 1
        return isNegated ? set.inverted : set
      }
      guard let members = classMembers(byte, isFirst: isFirst) else { return nil }
      set.formUnion(members)
      isFirst = false
    }
    return nil
  }

  private mutating func classMembers(_ byte: UInt8, isFirst: Bool) -> ASCIISet? {
    switch byte {
    case UInt8(ascii: "\\"):
      guard let members = escape(), current != UInt8(ascii: "-") || isBefore("]") else { return nil }
      return members
    case UInt8(ascii: "-"):
      // Inside a class a hyphen is literal only at either end.
      guard isFirst && !isBefore("-") || isBefore("]") else { return nil }
      position += 1
      return ASCIISet(ranges: [byte...byte])
    case UInt8(ascii: "["), UInt8(ascii: "&"): return nil
    default: return range(from: byte)
    }
  }

  /// Whether a character follows the current one.
  private func isBefore(_ character: Unicode.Scalar) -> Bool {
    position + 1 < end && bytes[position + 1] == UInt8(ascii: character)
  }

  private mutating func range(from first: UInt8) -> ASCIISet? {
    guard isPrintable(first) else { return nil }
    position += 1
    guard position + 1 < end, bytes[position] == UInt8(ascii: "-"), bytes[position + 1] != UInt8(ascii: "]")
    else { return ASCIISet(ranges: [first...first]) }
    let last = bytes[position + 1]
    guard isLetterOrDigit(first), isLetterOrDigit(last), first <= last else { return nil }
    position += 2
    return ASCIISet(ranges: [first...last])
  }

  /// The numbers of repetitions of the preceding part: once without a quantifier. Nil for possessive
  /// quantifiers.
  private mutating func quantifier() -> (least: Int, most: Int?)? {
    var bounds: (least: Int, most: Int?) = (1, 1)
    switch current {
    case UInt8(ascii: "*"): bounds = (0, nil)
    case UInt8(ascii: "+"): bounds = (1, nil)
    case UInt8(ascii: "?"): bounds = (0, 1)
    case UInt8(ascii: "{"):
      position += 1
      guard let interval = interval() else { return nil }
      bounds = interval
    default: return bounds
    }
    position += 1
    // Taking as few as possible finds the same whole matches.
    _ = consume("?")
    guard let following = current else { return bounds }
    return "*+?{".utf8.contains(following) ? nil : bounds
  }

  /// `2}`, `2,}` or `2,4}`, up to the bracket.
  private mutating func interval() -> (least: Int, most: Int?)? {
    guard let least = number() else { return nil }
    var most: Int? = least
    if consume(",") { most = current == UInt8(ascii: "}") ? nil : number() ?? -1 }
    guard current == UInt8(ascii: "}"), most.map({ $0 >= least && $0 > 0 }) ?? true else { return nil }
    return (least, most)
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let byte = current, ASCIISet.digits.contains(byte) {
      value = (value ?? 0) * 10 + Int(byte - 0x30)
      guard let value, value <= 63 else { return nil }
      position += 1
    }
    return value
  }
}
