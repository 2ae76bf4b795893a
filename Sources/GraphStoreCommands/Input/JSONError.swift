/// Text is not JSON.
struct JSONError: Error, Sendable, Equatable {
  /// What is wrong.
  enum Code: String, Sendable {
    case unexpectedEnd = "unexpected-end"
    case unexpectedCharacter = "unexpected-character"
    case invalidNumber = "invalid-number"
    case invalidEscape = "invalid-escape"
    case loneSurrogate = "lone-surrogate"
    case controlCharacter = "control-character"
    case invalidUTF8 = "invalid-utf8"
    case tooDeep = "too-deep"
    case trailingComma = "trailing-comma"
    case trailingText = "trailing-text"
  }

  var code: Code
  /// A clause that says what is wrong.
  var message: String
  /// Where, in bytes from the beginning of the text.
  var offset: Int

  init(_ code: Code, _ message: String, at offset: Int) {
    self.code = code
    self.message = message
    self.offset = offset
  }

  /// Line and column of the fault.
  func position(in bytes: UnsafeBufferPointer<UInt8>) -> TextPosition {
    unsafe TextPosition(of: offset, in: bytes)
  }
}
