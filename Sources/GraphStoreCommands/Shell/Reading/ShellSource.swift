/// Source text of one block of statements, with its origin.
///
/// A block is what belongs together until every bracket and quote is closed: one line as a rule. Offsets into
/// it count UTF-8 bytes.
struct ShellSource: Hashable, Sendable {
  /// The file's name, `<stdin>` or `-c`; nil for what was typed at the prompt.
  var name: String?
  /// The number of the block's first line in its file, from 1.
  var firstLine: Int
  var text: String

  /// The line and column of a UTF-8 offset; offsets past the end give the end.
  func position(at offset: Int) -> ShellPosition {
    var line = firstLine
    var lineStart = text.utf8.startIndex
    let end = index(offset)
    var index = text.utf8.startIndex
    while index < end {
      let isNewline = text.utf8[index] == UInt8(ascii: "\n")
      index = text.utf8.index(after: index)
      if isNewline {
        line += 1
        lineStart = index
      }
    }
    return ShellPosition(line: line, column: text[lineStart..<end].count + 1)
  }

  /// The text of the line that holds a UTF-8 offset, without its newline.
  func line(at offset: Int) -> Substring {
    let place = index(offset)
    let before = text[..<place]
    let start = before.lastIndex(of: "\n").map { text.index(after: $0) } ?? text.startIndex
    let end = text[place...].firstIndex(of: "\n") ?? text.endIndex
    return text[start..<end]
  }

  /// The text between two UTF-8 offsets.
  func text(in range: Range<Int>) -> Substring {
    text[index(range.lowerBound)..<index(range.upperBound)]
  }

  private func index(_ offset: Int) -> String.Index {
    let start = text.utf8.startIndex
    let found = text.utf8.index(start, offsetBy: max(0, offset), limitedBy: text.utf8.endIndex)
    // An offset inside a character counts as the character's start.
    return found.map { String.Index($0, within: text) ?? text.index(before: text.index(after: $0)) }
      ?? text.endIndex
  }
}

/// Line and column in a script, as editors count them: from 1, columns in characters.
struct ShellPosition: Hashable, Sendable, CustomStringConvertible {
  var line: Int
  var column: Int

  var description: String { "\(line):\(column)" }
}
