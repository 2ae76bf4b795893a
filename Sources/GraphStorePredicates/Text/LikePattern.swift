/// A pattern of LIKE: `?` is one scalar, `*` any number, a backslash takes the meaning of either away.
///
/// Matching takes time proportional to the product of both lengths at worst.
public struct LikePattern: Sendable {
  private enum Token {
    case byte(UInt8)
    case anyScalar
    case anything
  }

  private let tokens: [Token]

  /// Reads a pattern. Its literal parts are folded; wildcards are recognised first.
  public init(_ pattern: String, folding: TextFolding = .none) {
    self.init(pattern) { folding.key(of: $0) }
  }

  /// Reads a pattern, passing its literal parts through a closure.
  init(_ pattern: String, literal: (String) -> String) {
    var tokens: [Token] = []
    var pending = String.UnicodeScalarView()
    func flush() {
      guard !pending.isEmpty else { return }
      tokens += literal(String(pending)).utf8.map(Token.byte)
      pending = String.UnicodeScalarView()
    }
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if isEscaped {
        if scalar != "?", scalar != "*", scalar != "\\" { pending.append("\\") }
        pending.append(scalar)
        isEscaped = false
        continue
      }
      switch scalar {
      case "\\": isEscaped = true
      case "?":
        flush()
        tokens.append(.anyScalar)
      case "*":
        flush()
        if case .anything = tokens.last { continue }
        tokens.append(.anything)
      default: pending.append(scalar)
      }
    }
    if isEscaped { pending.append("\\") }
    flush()
    self.tokens = tokens
  }

  /// The literal text the pattern begins with, when nothing but one `*` follows it.
  public var plainPrefix: String? {
    guard case .anything = tokens.last, tokens.count > 1 else { return nil }
    var bytes: [UInt8] = []
    for token in tokens.dropLast() {
      guard case .byte(let byte) = token else { return nil }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the whole of a text, already folded, matches.
  public func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe tokens.withUnsafeBufferPointer { unsafe match($0, text) { $0 } }
  }

  /// Whether the whole of an ASCII text matches when its capital letters count as small ones.
  func matchesLowercasedASCII(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe tokens.withUnsafeBufferPointer { unsafe match($0, text, fold: ASCII.lower) }
  }

  @inline(__always)
  private func match(
    _ tokens: UnsafeBufferPointer<Token>, _ text: UnsafeBufferPointer<UInt8>, fold: (UInt8) -> UInt8
  ) -> Bool {
    var token = 0
    var offset = 0
    var restartToken = -1
    var restartOffset = 0
    while true {
      if token < tokens.count, case .anything = unsafe tokens[token] {
        token += 1
        if token == tokens.count { return true }
        restartToken = token
        restartOffset = offset
        continue
      }
      if offset < text.count, token < tokens.count {
        switch unsafe tokens[token] {
        case .byte(let byte) where unsafe byte == fold(text[offset]):
          token += 1
          offset += 1
          continue
        case .anyScalar:
          token += 1
          unsafe offset += UTF8Scalars.width(text[offset])
          continue
        default: break
        }
      } else if offset >= text.count, token == tokens.count {
        return true
      }
      guard restartToken >= 0, restartOffset < text.count else { return false }
      unsafe restartOffset += UTF8Scalars.width(text[restartOffset])
      offset = restartOffset
      token = restartToken
    }
  }
}
