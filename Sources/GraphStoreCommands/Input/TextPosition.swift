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
    let before = unsafe UnsafeBufferPointer(rebasing: bytes.prefix(offset))
    var lines = 0
    for index in before.indices where unsafe before[index] == UInt8(ascii: "\n") { lines &+= 1 }
    var start = 0
    if lines > 0, let last = unsafe before.lastIndex(of: UInt8(ascii: "\n")) { start = last + 1 }
    var characters = 0
    for index in start..<before.endIndex where unsafe before[index] & 0xC0 != 0x80 { characters &+= 1 }
    self.init(line: line + lines, column: lines > 0 ? 1 + characters : column + characters)
  }
}
