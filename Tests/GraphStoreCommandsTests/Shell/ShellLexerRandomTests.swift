import Testing

@testable import GraphStoreCommands

/// Lines that nobody would write, and what holds of every one of them.
struct ShellLexerRandomTests {
  private static let pieces = [
    "where", "where ", " where", "--where", "--", " --limit", ";", "; ", " ", "\t", "#", "# x", "'", "\"",
    "\\", "(", ")",
    "[", "]", "{", "}", "a", "é", "👩‍🚀", ".begin", ".read", "fetch E", "a == 1", "a == 'x;y'", "-", "\r",
    "\u{0}", "=",
  ]

  private static func line(_ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...8, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }
      .joined()
  }

  /// Words stand behind each other within their source, and so does every byte of them.
  private static func check(_ statements: [ShellStatement], _ lines: [String]) {
    for statement in statements {
      let size = statement.source.text.utf8.count
      var end = 0
      #expect(!statement.words.isEmpty)
      for word in statement.words {
        #expect(word.range.lowerBound >= end && word.range.upperBound <= size, "\(lines)")
        end = word.range.upperBound
        for offset in 0...word.text.utf8.count {
          #expect(word.sourceOffset(of: offset) <= size, "\(lines)")
        }
      }
      #expect(statement.text.utf8.count <= size)
    }
  }

  @Test(
    "Whatever lines come, every statement lies within its source, and a closed block leaves nothing behind")
  func lines() {
    var generator = SeededGenerator(seed: 20_301)
    for _ in 0..<4000 {
      var lexer = ShellLexer(name: "x.gs")
      var lines: [String] = []
      for _ in 0..<Int.random(in: 1...5, using: &generator) {
        let line = Self.line(&generator)
        lines.append(line)
        Self.check(lexer.feed(line), lines)
      }
      for text in [Self.line(&generator), "count E where a > 1 --limit 2"] {
        _ = lexer.partial(text)
      }
      if lexer.opener != nil {
        var ended = lexer
        if let rest = try? ended.finish() { Self.check(rest, lines) }
        lexer.reset()
      }
      let next = lexer.feed("count E where a > 1 --limit 2")
      #expect(next.map(\.arguments) == [["count", "E", "--where", "a > 1", "--limit", "2"]], "\(lines)")
      #expect(next.first?.position == ShellPosition(line: lines.count + 1, column: 1), "\(lines)")
    }
  }

  @Test("A where without a predicate ends with its line or its statement", arguments: ["", " ", ";", " ; "])
  func bareWhere(_ end: String) {
    var lexer = ShellLexer()
    #expect(lexer.feed("count E where" + end).map(\.arguments) == [["count", "E", "--where"]])
    #expect(lexer.opener == nil)
    #expect(lexer.feed("count E").map(\.arguments) == [["count", "E"]])
    #expect(
      lexer.feed("count E where; count F").map(\.arguments) == [["count", "E", "--where"], ["count", "F"]])
  }
}
