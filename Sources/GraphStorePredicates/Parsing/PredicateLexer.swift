/// Lexer: cuts predicate text into tokens, in one pass over its bytes.
///
/// The first thing that is no token ends the list as an `invalid` token, whose error is kept: a syntax error
/// before it is reported first.
struct PredicateLexer {
  let bytes: [UInt8]
  private(set) var tokens: [PredicateToken] = []
  private(set) var error: LexicalError?
  private var position = 0
  private var openParentheses: [Int] = []

  init(_ text: String) {
    bytes = Array(text.utf8)
    tokens.reserveCapacity(bytes.count / 4 + 2)
    run()
  }

  private mutating func run() {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      return fail(at: 0, length: 3, "A predicate must not begin with a byte-order mark.")
    }
    while error == nil {
      skipSpace()
      guard position < bytes.count else { break }
      scanToken()
    }
    if error == nil { add(.end, length: 0) }
    if bytes.contains(where: { $0 >= 0x80 || $0 < 0x20 }) { findColumns() }
  }

  /// Notes the line and column of each token, in one pass.
  private mutating func findColumns() {
    var line: UInt32 = 1
    var column: UInt32 = 1
    var offset = 0
    for index in tokens.indices {
      for character in String(decoding: bytes[offset..<tokens[index].start], as: UTF8.self) {
        if character.isNewline {
          line += 1
          column = 1
        } else {
          column += 1
        }
      }
      offset = tokens[index].start
      tokens[index].line = line
      tokens[index].column = column
    }
  }

  private func byte(_ ahead: Int = 0) -> UInt8 {
    position + ahead < bytes.count ? bytes[position + ahead] : 0
  }

  private mutating func add(_ kind: PredicateToken.Kind, length: Int) {
    tokens.append(PredicateToken(kind: kind, offset: UInt32(position), length: UInt32(length)))
    position += length
  }

  private mutating func fail(
    at offset: Int, length: Int, _ message: String, expected: String? = nil, hint: String? = nil
  ) {
    tokens.append(PredicateToken(kind: .invalid, offset: UInt32(offset), length: UInt32(length)))
    error = LexicalError(
      QueryPredicateError(
        .syntax, message, source: String(decoding: bytes, as: UTF8.self),
        range: SourceRange(offset: offset, length: length), expected: expected, hint: hint))
  }

  /// The scalar at an offset and its width in bytes. The bytes are those of a string, so they are well
  /// formed.
  private func scalar(at offset: Int) -> (scalar: Unicode.Scalar, width: Int) {
    UTF8Scalars.decode(bytes, at: offset)
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      let byte = bytes[position]
      if byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) {
        position += 1
      } else if byte >= 0x80 {
        let (scalar, width) = scalar(at: position)
        guard scalar.properties.isWhitespace else { return }
        position += width
      } else {
        return
      }
    }
  }

  // MARK: Tokens

  private mutating func scanToken() {
    let first = byte()
    switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): scanNumber()
    case UInt8(ascii: "\""), UInt8(ascii: "'"): scanString()
    case UInt8(ascii: "$"): scanPrefixed(.variable, what: "a name after $")
    case UInt8(ascii: "#"): scanPrefixed(.escapedIdentifier, what: "a key after #")
    case UInt8(ascii: "`"): scanQuotedKey()
    case UInt8(ascii: "@"): scanPrefixed(.collectionOperator, what: "a collection operator after @")
    case UInt8(ascii: "%"): scanSpecifier()
    default:
      let width = identifierWidth(at: position)
      if width > 0 { scanWord(width) } else { scanPunctuation() }
    }
  }

  /// The length of the identifier at an offset; 0 when none begins there.
  private func identifierWidth(at start: Int) -> Int {
    var offset = start
    while offset < bytes.count {
      let byte = bytes[offset]
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
        offset += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if offset == start { return 0 }
        offset += 1
      case 0x80...:
        let (scalar, width) = scalar(at: offset)
        let properties = scalar.properties
        guard offset == start ? properties.isXIDStart : properties.isXIDContinue else {
          return offset - start
        }
        offset += width
      default:
        return offset - start
      }
    }
    return offset - start
  }

  private mutating func scanPrefixed(_ kind: PredicateToken.Kind, what: String) {
    let width = identifierWidth(at: position + 1)
    guard width > 0 else {
      return fail(at: position, length: 1, "The text cannot be read here: expected \(what).", expected: what)
    }
    add(kind, length: width + 1)
  }

  /// A key between backquotes, which may have any characters but these and line ends.
  private mutating func scanQuotedKey() {
    let rest = bytes[(position + 1)...]
    let end = rest.firstIndex { $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "\n") }
    guard let end, end > position + 1, bytes[end] == UInt8(ascii: "`") else {
      return fail(
        at: position, length: 1, "The key that opens here is empty or not closed.",
        expected: "a key and a backquote")
    }
    add(.escapedIdentifier, length: end + 1 - position)
  }

  /// The key that an escaped identifier names: the text after `#`, or between backquotes.
  static func key(ofEscaped text: String) -> String {
    let name = name(behindSign: text)
    return text.utf8.first == UInt8(ascii: "`") ? String(decoding: name.utf8.dropLast(), as: UTF8.self) : name
  }

  /// The text behind the sign that it begins with. By bytes: a combining mark behind a sign is one character
  /// with it.
  static func name(behindSign text: String) -> String {
    String(decoding: text.utf8.dropFirst(), as: UTF8.self)
  }

  /// Whether a text is an identifier, which is a key unchanged.
  static func isIdentifier(_ text: String) -> Bool {
    let isPlain = text.utf8.enumerated().allSatisfy { place, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
        true
      case UInt8(ascii: "0")...UInt8(ascii: "9"): place > 0
      default: false
      }
    }
    if isPlain { return !text.isEmpty }
    let scalars = text.unicodeScalars
    guard let first = scalars.first, first == "_" || first.properties.isXIDStart else { return false }
    return scalars.dropFirst().allSatisfy { $0.properties.isXIDContinue }
  }

  private mutating func scanWord(_ width: Int) {
    if width == 3, (byte() | 0x20) == UInt8(ascii: "u"), let kind = hyphenatedOperator() {
      return add(kind.0, length: kind.1)
    }
    if let selector = selectorWidth(after: width) { return add(.selector, length: selector) }
    let word = bytes[position..<position + width]
    add(ReservedWords.kind(of: word) ?? .identifier, length: width)
  }

  /// The length of `name:` or `first:second:` when the word at the position begins one.
  private func selectorWidth(after width: Int) -> Int? {
    func isColon(_ offset: Int) -> Bool {
      offset < bytes.count && bytes[offset] == UInt8(ascii: ":")
        && !(offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "="))
    }
    guard isColon(position + width) else { return nil }
    var length = width + 1
    while true {
      let part = identifierWidth(at: position + length)
      guard part > 0, isColon(position + length + part) else { return length }
      length += part + 1
    }
  }

  private func hyphenatedOperator() -> (PredicateToken.Kind, Int)? {
    for (word, kind) in [
      ("UTI-CONFORMS-TO", PredicateToken.Kind.typeConformsTo), ("UTI-EQUALS", .typeEquals),
    ] {
      let length = word.utf8.count
      guard position + length <= bytes.count else { continue }
      let matches = zip(bytes[position..<position + length], word.utf8).allSatisfy { byte, wanted in
        byte == wanted || (byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") && byte - 32 == wanted)
      }
      if matches, identifierWidth(at: position + length) == 0 { return (kind, length) }
    }
    return nil
  }

  private mutating func scanNumber() {
    let isRadix = byte() == UInt8(ascii: "0")
    if isRadix,
      let radix = [UInt8(ascii: "x"): 16, UInt8(ascii: "o"): 8, UInt8(ascii: "b"): 2][byte(1) | 0x20]
    {
      let digits = digitCount(from: position + 2, radix: radix)
      if digits > 0 { return add(.number, length: digits + 2) }
    }
    var length = digitCount(from: position, radix: 10)
    if byte(length) == UInt8(ascii: ".") {
      let fraction = digitCount(from: position + length + 1, radix: 10)
      if fraction > 0 { length += fraction + 1 }
    }
    if byte(length) | 0x20 == UInt8(ascii: "e") {
      let sign = byte(length + 1)
      let signed = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") ? 1 : 0
      let digits = digitCount(from: position + length + 1 + signed, radix: 10)
      if digits > 0 { length += 1 + signed + digits }
    }
    add(.number, length: length)
  }

  private func digitCount(from start: Int, radix: Int) -> Int {
    var offset = start
    while offset < bytes.count, let digit = NumberLiteral.digit(bytes[offset]), digit < radix { offset += 1 }
    return offset - start
  }

  private mutating func scanString() {
    let quote = byte()
    var offset = position + 1
    var hasEscapes = false
    while offset < bytes.count, bytes[offset] != quote {
      if bytes[offset] == UInt8(ascii: "\\") {
        hasEscapes = true
        switch StringLiteral.escapeLength(bytes, at: offset) {
        case .some(let length): offset += length
        case .none:
          return fail(
            at: offset, length: min(2, bytes.count - offset),
            "The escape \\u needs four hexadecimal digits, or one to six in braces, that name a scalar.")
        }
      } else {
        offset += 1
      }
    }
    guard offset < bytes.count else {
      return fail(
        at: position, length: bytes.count - position, "The string that opens here is not closed.",
        expected: "a closing quote")
    }
    add(.string, length: offset + 1 - position)
    tokens[tokens.count - 1].hasEscapes = hasEscapes
  }

  private mutating func scanSpecifier() {
    switch byte(1) {
    case UInt8(ascii: "@"): return add(.argument, length: 2)
    case UInt8(ascii: "K"): return add(.keyArgument, length: 2)
    default: break
    }
    var length = 1
    while "hlqztjL".utf8.contains(byte(length)), length < 3 { length += 1 }
    let modifier = String(
      decoding: bytes[(position + 1)..<min(position + length, bytes.count)], as: UTF8.self)
    let isKnown = ["", "h", "hh", "l", "ll", "q", "z", "t", "j", "L"].contains(modifier)
    if isKnown, "dDiuUoxXcfFeEgGaAs".utf8.contains(byte(length)), identifierWidth(at: position + length) == 1
    {
      return add(.scalarArgument, length: length + 1)
    }
    add(.percent, length: 1)
  }

  private mutating func scanPunctuation() {
    let next = byte(1)
    switch byte() {
    case UInt8(ascii: "("):
      openParentheses.append(tokens.count)
      add(.openParenthesis, length: 1)
    case UInt8(ascii: ")"):
      if let open = openParentheses.popLast() { tokens[open].partner = UInt32(tokens.count) }
      add(.closeParenthesis, length: 1)
    case UInt8(ascii: "{"): add(.openBrace, length: 1)
    case UInt8(ascii: "}"): add(.closeBrace, length: 1)
    case UInt8(ascii: "["): add(.openBracket, length: 1)
    case UInt8(ascii: "]"): add(.closeBracket, length: 1)
    case UInt8(ascii: ","): add(.comma, length: 1)
    case UInt8(ascii: "+"): add(.plus, length: 1)
    case UInt8(ascii: "-"): add(.minus, length: 1)
    case UInt8(ascii: "/"): add(.slash, length: 1)
    case UInt8(ascii: "^"): add(.caret, length: 1)
    case UInt8(ascii: "~"): add(.tilde, length: 1)
    case UInt8(ascii: "*"): next == UInt8(ascii: "*") ? add(.power, length: 2) : add(.star, length: 1)
    case UInt8(ascii: "&"): next == UInt8(ascii: "&") ? add(.and, length: 2) : add(.ampersand, length: 1)
    case UInt8(ascii: "|"): next == UInt8(ascii: "|") ? add(.or, length: 2) : add(.bar, length: 1)
    case UInt8(ascii: "!"):
      next == UInt8(ascii: "=") ? add(.notEqual, length: 2) : add(.exclamation, length: 1)
    case UInt8(ascii: "."): scanDot()
    case UInt8(ascii: ":"): scanColon()
    case UInt8(ascii: "="), UInt8(ascii: "<"), UInt8(ascii: ">"): scanComparison()
    default: failAtCharacter()
    }
  }

  private mutating func scanDot() {
    let fraction = digitCount(from: position + 1, radix: 10)
    if fraction > 0 { scanNumber() } else { add(.dot, length: 1) }
  }

  private mutating func scanColon() {
    if byte(1) == UInt8(ascii: "=") { add(.assign, length: 2) } else { failAtCharacter() }
  }

  private mutating func scanComparison() {
    switch (byte(), byte(1)) {
    case (UInt8(ascii: "="), UInt8(ascii: "=")):
      byte(2) == UInt8(ascii: "=") ? add(.strictEqual, length: 3) : add(.equal, length: 2)
    case (UInt8(ascii: "="), UInt8(ascii: "<")): add(.lessOrEqual, length: 2)
    case (UInt8(ascii: "="), UInt8(ascii: ">")): add(.greaterOrEqual, length: 2)
    case (UInt8(ascii: "="), _): add(.equal, length: 1)
    case (UInt8(ascii: "<"), UInt8(ascii: "=")): add(.lessOrEqual, length: 2)
    case (UInt8(ascii: "<"), UInt8(ascii: ">")): add(.notEqual, length: 2)
    case (UInt8(ascii: "<"), UInt8(ascii: "<")): add(.shiftLeft, length: 2)
    case (UInt8(ascii: "<"), _): add(.less, length: 1)
    case (_, UInt8(ascii: "=")): add(.greaterOrEqual, length: 2)
    case (_, UInt8(ascii: ">")): add(.shiftRight, length: 2)
    default: add(.greater, length: 1)
    }
  }

  private mutating func failAtCharacter() {
    let (scalar, width) = scalar(at: position)
    switch scalar {
    case "\u{0}":
      fail(at: position, length: 1, "A predicate must not hold the character NUL outside a string.")
    case "“", "”", "„", "‟", "‘", "’", "‚", "‛", "«", "»":
      fail(
        at: position, length: width, "The character \(scalar) does not open a string.",
        hint: "Write straight quotes, \" or '.")
    default:
      fail(at: position, length: width, "The character \(scalar) has no meaning in a predicate.")
    }
  }
}
