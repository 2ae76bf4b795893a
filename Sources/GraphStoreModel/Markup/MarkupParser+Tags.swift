extension MarkupParser {
  /// So many attributes are compared each with each; more are sorted.
  private static let fewAttributes = 8

  /// Reads a start tag, or the tag of an element without content.
  mutating func startTag() throws(Failure) -> (element: MarkupElement, isEmpty: Bool) {
    var element = MarkupElement(name: "", offset: position)
    position += 1
    element.name = try name()
    while true {
      let before = position
      skipSpace()
      switch current {
      case nil: throw failure("The tag <\(element.name)> has no end.", at: element.offset)
      case UInt8(ascii: ">"):
        position += 1
        try checkNames(of: element)
        return (element, false)
      case UInt8(ascii: "/"):
        position += 1
        guard current == UInt8(ascii: ">") else { throw failure("\">\" is expected here.") }
        position += 1
        try checkNames(of: element)
        return (element, true)
      default:
        guard position > before else { throw failure("A space is expected before an attribute.") }
        element.attributes.append(try attribute())
      }
    }
  }

  private mutating func attribute() throws(Failure) -> MarkupElement.Attribute {
    let start = position
    let name = try name()
    skipSpace()
    guard current == UInt8(ascii: "=") else {
      throw failure("The attribute \"\(name)\" has no value.", at: start)
    }
    position += 1
    skipSpace()
    guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw failure("The value of \"\(name)\" stands in quotes.")
    }
    position += 1
    if let plain = plainValue(endedBy: quote) {
      return MarkupElement.Attribute(name: name, value: plain, offset: start)
    }
    var value: [UInt8] = []
    while let byte = current, byte != quote {
      switch byte {
      case UInt8(ascii: "<"): throw failure("\"<\" is written &lt; in the value of \"\(name)\".")
      case UInt8(ascii: "&"): try addReference(to: &value)
      case 0x0D where position + 1 < bytes.count && bytes[position + 1] == 0x0A: position += 1
      case 0x09, 0x0A, 0x0D:
        value.append(0x20)
        position += 1
      default:
        value.append(byte)
        position += 1
      }
    }
    guard current == quote else { throw failure("The value of \"\(name)\" has no end.", at: start) }
    position += 1
    return MarkupElement.Attribute(name: name, value: String(decoding: value, as: UTF8.self), offset: start)
  }

  /// Reads the value of an attribute in which nothing is to be replaced; nil, and nothing is read, for
  /// another.
  private mutating func plainValue(endedBy quote: UInt8) -> String? {
    var end = position
    while end < bytes.count, bytes[end] != quote {
      switch bytes[end] {
      case UInt8(ascii: "<"), UInt8(ascii: "&"), 0x09, 0x0A, 0x0D: return nil
      default: end += 1
      }
    }
    guard end < bytes.count else { return nil }
    defer { position = end + 1 }
    return String(decoding: bytes[position..<end], as: UTF8.self)
  }

  private func checkNames(of element: MarkupElement) throws(Failure) {
    guard element.attributes.count > 1 else { return }
    if element.attributes.count <= Self.fewAttributes {
      for (position, attribute) in element.attributes.enumerated()
      where element.attributes[..<position].contains(where: { $0.name == attribute.name }) {
        throw failure("The attribute \"\(attribute.name)\" occurs twice.", at: attribute.offset)
      }
      return
    }
    let sorted = element.attributes.sorted {
      $0.name == $1.name ? $0.offset < $1.offset : VersionHash.precedes($0.name, $1.name)
    }
    for (attribute, next) in zip(sorted, sorted.dropFirst()) where attribute.name == next.name {
      throw failure("The attribute \"\(next.name)\" occurs twice.", at: next.offset)
    }
  }

  mutating func name() throws(Failure) -> String {
    let start = position
    while let byte = current, Self.isNameByte(byte, first: position == start) { position += 1 }
    guard position > start else { throw failure("A name is expected here.") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Whether a byte may occur in a name; of characters beyond ASCII all may.
  private static func isNameByte(_ byte: UInt8, first: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...: true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): !first
    default: false
    }
  }

  /// Whether a text is the name of an element or attribute.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, isNameByte(first, first: true) else { return false }
    return text.utf8.allSatisfy { isNameByte($0, first: false) }
  }

  /// Reads `&lt;`, `&#65;`, `&#x41;` and their like.
  mutating func addReference(to value: inout [UInt8]) throws(Failure) {
    let start = position
    position += 1
    let limit = min(bytes.count, position + 12)
    guard let end = bytes[position..<limit].firstIndex(of: UInt8(ascii: ";")) else {
      throw failure("\"&\" is written &amp; where it begins no entity.", at: start)
    }
    let word = String(decoding: bytes[position..<end], as: UTF8.self)
    position = end + 1
    switch word {
    case "lt": value.append(UInt8(ascii: "<"))
    case "gt": value.append(UInt8(ascii: ">"))
    case "amp": value.append(UInt8(ascii: "&"))
    case "quot": value.append(UInt8(ascii: "\""))
    case "apos": value.append(UInt8(ascii: "'"))
    default:
      guard let scalar = Self.character(word) else {
        throw failure("There is no entity \"&\(word);\".", at: start)
      }
      value += Array(String(scalar).utf8)
    }
  }

  private static func character(_ word: String) -> Unicode.Scalar? {
    guard word.first == "#" else { return nil }
    let digits = word.dropFirst()
    guard let first = digits.first, first != "+", first != "-" else { return nil }
    let number = first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    guard let number, let scalar = Unicode.Scalar(number), MarkupWriter.isAllowed(scalar) else { return nil }
    return scalar
  }
}
