/// Strict XML parser that keeps the position of every element and attribute.
///
/// Texts are UTF-8. A document type is refused, or skipped where it only names one, so there are no entities
/// but those that XML itself has: nothing is read from elsewhere, and no text grows while it is read.
/// Elements nest at most so many levels.
package struct MarkupParser {
  /// Error of a text, with the byte it is at.
  package struct Failure: Error {
    package var offset: Int
    package var message: String

    package init(offset: Int, message: String) {
      self.offset = offset
      self.message = message
    }
  }

  /// The deepest nesting that is read of a text which is read at once.
  static let maximumDepth = 64

  let bytes: [UInt8]
  var position: Int
  private let skipsDocumentType: Bool
  private let maximumDepth: Int
  /// Whether the text of an element without children is kept with its white space, and where it is nothing
  /// else.
  private let keepsSpace: Bool

  /// Reads a document and returns its root element.
  ///
  /// - Parameter skipsDocumentType: Whether a document type that names one and declares nothing is skipped.
  static func parse(
    _ bytes: [UInt8], skipsDocumentType: Bool = false
  ) throws(Failure) -> MarkupElement {
    var parser = MarkupParser(
      bytes, skipsDocumentType: skipsDocumentType, maximumDepth: Self.maximumDepth, keepsSpace: false)
    try parser.checkCharacters()
    try parser.readProlog()
    let root = try parser.element(isNested: false)
    try parser.readEnd()
    return root
  }

  private init(_ bytes: [UInt8], skipsDocumentType: Bool, maximumDepth: Int, keepsSpace: Bool) {
    self.bytes = bytes
    self.skipsDocumentType = skipsDocumentType
    self.maximumDepth = maximumDepth
    self.keepsSpace = keepsSpace
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  // MARK: Piece by piece

  /// A parser at the beginning of a text that is read piece by piece, so that no tree of all of it is made;
  /// it keeps white space, and skips a document type that declares nothing.
  ///
  /// - Throws: the place of the first byte that XML does not allow.
  package init(checking bytes: [UInt8], maximumDepth: Int) throws(Failure) {
    self.init(bytes, skipsDocumentType: true, maximumDepth: maximumDepth, keepsSpace: true)
    try checkCharacters()
  }

  /// Reads the start tag of the root element, and what stands before it.
  package mutating func readRoot() throws(Failure) -> MarkupElement {
    try readProlog()
    let (root, isEmpty) = try startTag()
    // The end tag is read as that of another element is.
    if isEmpty { throw failure("The element <\(root.name)> is empty.", at: root.offset) }
    return root
  }

  /// Reads the children of the root element, one by one with all that is in them, until the body says false;
  /// what follows is not read then. Otherwise it reads up to the end of the text.
  package mutating func readChildren(
    of root: MarkupElement, _ receive: (MarkupElement) throws(Failure) -> Bool
  ) throws(Failure) {
    while true {
      skipSpace()
      guard let byte = current else {
        throw failure("The element <\(root.name)> has no end.", at: root.offset)
      }
      if stands("</") {
        try readEndTag(of: root)
        return try readEnd()
      }
      if stands("<!--") {
        try skipPast("-->", "comment")
      } else if stands("<?") {
        try skipPast("?>", "processing instruction")
      } else if byte == UInt8(ascii: "<") {
        guard try receive(element(isNested: true)) else { return }
      } else {
        throw failure("No text is expected in <\(root.name)>.")
      }
    }
  }

  private mutating func readProlog() throws(Failure) {
    try skipDeclaration()
    try skipMiscellany()
    guard current == UInt8(ascii: "<") else {
      throw failure(position < bytes.count ? "An XML element is expected here." : "There is no XML element.")
    }
  }

  private mutating func readEnd() throws(Failure) {
    try skipMiscellany()
    if position < bytes.count { throw failure("There is text after the root element.") }
  }

  func failure(_ message: String, at offset: Int? = nil) -> Failure {
    Failure(offset: offset ?? position, message: message)
  }

  var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  func stands(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard position + count <= bytes.count else { return false }
    for step in 0..<count where unsafe bytes[position + step] != text.utf8Start[step] { return false }
    return true
  }

  private mutating func skipPast(_ end: StaticString, _ what: String) throws(Failure) {
    let start = position
    while position < bytes.count {
      if stands(end) {
        position += end.utf8CodeUnitCount
        return
      }
      position += 1
    }
    throw failure("This \(what) has no end.", at: start)
  }

  /// Looks for what no XML text may hold: bytes that are not UTF-8, control characters, U+FFFE and U+FFFF.
  private func checkCharacters() throws(Failure) {
    if let offset = ModelSource(bytes, file: nil).firstInvalidByte {
      throw failure("The text is not UTF-8.", at: offset)
    }
    for offset in bytes.indices {
      let byte = bytes[offset]
      if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D {
        throw failure("XML allows no control characters.", at: offset)
      }
      if byte == 0xEF, bytes[offset + 1] == 0xBF, bytes[offset + 2] >= 0xBE {
        throw failure("XML allows no noncharacters.", at: offset)
      }
    }
  }

  private mutating func skipDeclaration() throws(Failure) {
    guard stands("<?xml"), position + 5 < bytes.count, Self.isSpace(bytes[position + 5]) else { return }
    let start = position
    try skipPast("?>", "XML declaration")
    let words = String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
    guard let word = words.range(of: "encoding") else { return }
    let rest = words[word.upperBound...].drop { $0 == "=" || $0.isWhitespace || $0 == "\"" || $0 == "'" }
    let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    if !["utf-8", "utf8", "us-ascii", "ascii"].contains(name) {
      throw failure("The text is said to be \(name); only UTF-8 is read.", at: start)
    }
  }

  /// Skips the content allowed before and after the root element: white space, comments and processing
  /// instructions.
  private mutating func skipMiscellany() throws(Failure) {
    while position < bytes.count {
      if Self.isSpace(bytes[position]) {
        position += 1
      } else if stands("<!--") {
        try skipPast("-->", "comment")
      } else if stands("<!DOCTYPE") {
        try skipDocumentType()
      } else if stands("<?") {
        try skipPast("?>", "processing instruction")
      } else {
        return
      }
    }
  }

  /// Skips a document type that is a name and a system identifier; one that declares anything is refused.
  private mutating func skipDocumentType() throws(Failure) {
    let start = position
    try skipPast(">", "document type")
    guard skipsDocumentType, !bytes[start..<position].contains(UInt8(ascii: "[")) else {
      throw failure("A document type is not read, nor are entities of one.", at: start)
    }
  }

  /// Reads an element with all that is in it.
  ///
  /// - Parameter isNested: Whether it is in another one.
  private mutating func element(isNested: Bool) throws(Failure) -> MarkupElement {
    let maximumDepth = isNested ? maximumDepth - 1 : maximumDepth
    var open: [MarkupElement] = []
    var text: [UInt8] = []
    while true {
      guard let byte = current else {
        throw failure(
          "The element <\(open.last?.name ?? "")> has no end.", at: open.last?.offset ?? position)
      }
      if byte != UInt8(ascii: "<") {
        try addText(to: &text)
      } else if stands("<!--") {
        try skipPast("-->", "comment")
      } else if stands("<![CDATA[") {
        let start = position + 9
        try skipPast("]]>", "CDATA section")
        text += bytes[start..<position - 3]
      } else if stands("<?") {
        try skipPast("?>", "processing instruction")
      } else if stands("</") {
        try readEndTag(of: open.last)
        guard let element = finish(&open, &text) else { continue }
        return element
      } else {
        guard open.count < maximumDepth else { throw failure("The elements nest too deeply.") }
        Self.keep(&text, in: &open)
        let (element, isEmpty) = try startTag()
        open.append(element)
        guard isEmpty, let element = finish(&open, &text) else { continue }
        return element
      }
    }
  }

  /// Closes the innermost element; returns it when it was the outermost one.
  private func finish(_ open: inout [MarkupElement], _ text: inout [UInt8]) -> MarkupElement? {
    Self.keep(&text, in: &open, withSpace: keepsSpace)
    let element = open.removeLast()
    if open.isEmpty { return element }
    open[open.count - 1].children.append(element)
    return nil
  }

  /// Gives the innermost element the text that was read.
  ///
  /// - Parameter withSpace: Whether white space counts in an element without children.
  private static func keep(
    _ text: inout [UInt8], in open: inout [MarkupElement], withSpace: Bool = false
  ) {
    if text.isEmpty { return }
    if let last = open.indices.last,
      withSpace && open[last].children.isEmpty || !text.allSatisfy(isSpace)
    {
      open[last].text += String(decoding: text, as: UTF8.self)
    }
    text.removeAll(keepingCapacity: true)
  }

  private mutating func addText(to text: inout [UInt8]) throws(Failure) {
    while let byte = current, byte != UInt8(ascii: "<") {
      switch byte {
      case UInt8(ascii: "&"): try addReference(to: &text)
      case 0x0D:
        position += 1
        if current != 0x0A { text.append(0x0A) }
      default: addRun(to: &text) { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") || $0 == 0x0D }
      }
    }
  }

  /// Adds the bytes from here to the next one that ends a run.
  @inline(__always)
  mutating func addRun(to text: inout [UInt8], until isEnd: (UInt8) -> Bool) {
    let start = position
    while position < bytes.count, !isEnd(bytes[position]) { position += 1 }
    text += bytes[start..<position]
  }

  private mutating func readEndTag(of element: MarkupElement?) throws(Failure) {
    let start = position
    position += 2
    let name = try name()
    skipSpace()
    guard current == UInt8(ascii: ">") else { throw failure("\">\" is expected here.") }
    position += 1
    if name != element?.name {
      throw failure("</\(name)> ends nothing; <\(element?.name ?? "")> is open.", at: start)
    }
  }

  mutating func skipSpace() {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}
