/// A place in a text, as people count it.
struct TextPosition: Sendable, Equatable {
  /// Line, from 1.
  var line: Int
  /// Column in characters (Unicode scalars), from 1.
  var column: Int

  init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The place of a byte offset in a text that begins at `line` and `column`.
  init(
    of offset: Int, in bytes: UnsafeBufferPointer<UInt8>, line: Int = 1, column: Int = 1
  ) {
    self.init(line: line, column: column)
    for byte in bytes.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        self.line += 1
        self.column = 1
      } else if byte & 0xC0 != 0x80 {
        self.column += 1
      }
    }
  }
}
