/// A position in a text as people count it: line and column from 1, the column in characters.
///
/// ```swift
/// let position = SourcePosition(offset: 9, in: "salary >\n50000")
/// print(position.line, position.column)  // 2 1
/// ```
public struct SourcePosition: Hashable, Sendable {
  /// The line from 1.
  public let line: Int
  /// The column from 1, in characters.
  public let column: Int

  /// Finds the position of a UTF-8 offset, which is clamped to the text. Linear in the offset.
  public init(offset: Int, in text: String) {
    let utf8 = text.utf8
    let end =
      utf8.index(utf8.startIndex, offsetBy: Swift.max(0, offset), limitedBy: utf8.endIndex) ?? utf8.endIndex
    let before = String(decoding: utf8[..<end], as: UTF8.self)
    var line = 1
    var column = 1
    for character in before {
      if character.isNewline {
        line += 1
        column = 1
      } else {
        column += 1
      }
    }
    self.line = line
    self.column = column
  }
}
