/// Breaking of lines between words, where a terminal would break them within one.
package enum LineBreaking {
  /// A line as lines that fit into a width; as it is where it fits, or where no width is known.
  ///
  /// What goes on below stands under the text: behind the indent, or behind a label that two blanks set off;
  /// neither takes more than half of the width. A word that is wider than a line stays whole.
  ///
  /// - Parameter indent: How far the lines that go on are indented; nil for as far as the text of the first
  ///   one.
  package static func lines(_ line: String, columns: Int?, indent: Int? = nil) -> [String] {
    guard let columns, width(line[...]) > columns else { return [line] }
    let start = line.prefix { $0 == " " }.count
    var hanging = String(repeating: " ", count: indent ?? min(start, columns / 2))
    if indent == nil, let gap = gap(in: line[...]) {
      let column = width(line[..<gap])
      guard column <= columns / 2 else {
        // A label that leaves no room beside it has its text below.
        let text = String(repeating: " ", count: min(start + 4, columns / 2)) + line[gap...]
        return lines(line[..<gap].trimmingSuffix { $0 == " " }, columns: columns)
          + lines(text, columns: columns)
      }
      hanging = String(repeating: " ", count: column)
    }
    var lines: [String] = []
    var current = String(repeating: " ", count: min(start, columns / 2))
    for (index, piece) in pieces(of: line).enumerated() {
      if index == 0 {
        current += piece.word
      } else if width(current[...]) + piece.blanks + width(piece.word) > columns {
        lines.append(current)
        current = hanging + piece.word
      } else {
        current += String(repeating: " ", count: piece.blanks) + piece.word
      }
    }
    return lines + [current]
  }

  /// A page of text, of which each paragraph that does not fit into a width is filled anew.
  ///
  /// A paragraph is a run of lines without an indent; any other line stands for itself.
  package static func page(_ text: String, columns: Int?) -> String {
    guard let columns else { return text }
    var result: [String] = []
    var paragraph: [Substring] = []
    func endParagraph() {
      let isTooWide = paragraph.contains { width($0) > columns }
      result +=
        isTooWide
        ? lines(paragraph.joined(separator: " "), columns: columns, indent: 0) : paragraph.map(String.init)
      paragraph = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let first = line.first, first != " ", gap(in: line) == nil {
        paragraph.append(line)
        continue
      }
      endParagraph()
      result += lines(String(line), columns: columns)
    }
    endParagraph()
    return result.joined(separator: "\n")
  }

  /// The words of a line, each with the number of blanks before it.
  private static func pieces(of line: String) -> [(blanks: Int, word: Substring)] {
    var pieces: [(blanks: Int, word: Substring)] = []
    var rest = line[...]
    while !rest.isEmpty {
      let blanks = rest.prefix { $0 == " " }.count
      rest = rest.dropFirst(blanks)
      let word = rest.prefix { $0 != " " }
      rest = rest.dropFirst(word.count)
      if !word.isEmpty { pieces.append((blanks, word)) }
    }
    return pieces
  }

  /// Where the text behind the first gap of two blanks or more begins; nil where there is none.
  private static func gap(in line: Substring) -> Substring.Index? {
    let text = line.drop { $0 == " " }
    guard let blanks = text.firstRange(of: "  ") else { return nil }
    return text[blanks.lowerBound...].firstIndex { $0 != " " }
  }

  /// The columns that a text takes, in which styles take none.
  private static func width(_ text: some StringProtocol) -> Int {
    guard text.contains("\u{1B}") else { return DisplayWidth.of(String(text)) }
    var (width, isInStyle) = (0, false)
    for character in text {
      if character == "\u{1B}" { isInStyle = true }
      if !isInStyle { width += DisplayWidth.of(character) }
      if character == "m" { isInStyle = false }
    }
    return width
  }
}
