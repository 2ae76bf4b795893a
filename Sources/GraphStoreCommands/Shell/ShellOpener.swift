/// What keeps a block open until the next line.
enum ShellOpener: String, Hashable, Sendable {
  case parenthesis = "("
  case bracket = "["
  case brace = "{"
  case singleQuote = "'"
  case doubleQuote = "\""
  case continuation = "\\"

  var isQuote: Bool { self == .singleQuote || self == .doubleQuote }

  /// The bracket that a byte opens.
  init?(opening byte: UInt8) {
    switch byte {
    case UInt8(ascii: "("): self = .parenthesis
    case UInt8(ascii: "["): self = .bracket
    case UInt8(ascii: "{"): self = .brace
    default: return nil
    }
  }

  /// The bracket that a byte closes.
  init?(closing byte: UInt8) {
    switch byte {
    case UInt8(ascii: ")"): self = .parenthesis
    case UInt8(ascii: "]"): self = .bracket
    case UInt8(ascii: "}"): self = .brace
    default: return nil
    }
  }
}
