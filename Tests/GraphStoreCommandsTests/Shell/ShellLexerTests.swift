import Testing

@testable import GraphStoreCommands

@Suite("Words and statements of scripts and of the shell")
struct ShellLexerTests {
  private func statements(_ lines: String...) -> [[String]] {
    var lexer = ShellLexer()
    return lines.flatMap { lexer.feed($0) }.map(\.arguments)
  }

  @Test("Words split at blanks, as POSIX sh splits them")
  func blanks() {
    #expect(statements("  fetch \t Employee  --limit 3 ") == [["fetch", "Employee", "--limit", "3"]])
  }

  @Test("Quotes join, and disappear; nothing is expanded")
  func quotes() {
    #expect(
      statements(#"insert E name='R&D $x' a"b c"d e=\"'x"y'"#) == [
        ["insert", "E", "name=R&D $x", "ab cd", "e=\"x\"y"]
      ])
    #expect(statements(#"x "a\"b\\c\$d\n" '\' "" *"#) == [["x", #"a"b\c$d\n"#, #"\"#, "", "*"]])
  }

  @Test("A backslash takes the next character as it is, of any width")
  func backslash() {
    #expect(statements(##"x a\ b \é\; \#"##) == [["x", "a b", "é;", "#"]])
  }

  @Test("Semicolons separate statements outside quotes and brackets")
  func separators() {
    #expect(statements("a; b ;; 'c;d' f(;) ;") == [["a"], ["b"], ["c;d", "f(;)"]])
  }

  @Test("A line whose first non-blank is # is a comment; elsewhere # is a character")
  func comments() {
    #expect(statements("# insert it's", "  # more (", "a #b") == [["a", "#b"]])
  }

  @Test("A comment within brackets is left out of a predicate")
  func commentInBlock() {
    #expect(statements("fetch E where (", "# don't", "a > 1)") == [["fetch", "E", "--where", "(\na > 1)"]])
  }

  @Test("A bare where takes the raw text up to the next option")
  func bareWhere() {
    #expect(
      statements(#"fetch E where name == "R&D; x" AND a IN {1, 2} --sort -name; count E where a > -- 2"#) == [
        ["fetch", "E", "--where", #"name == "R&D; x" AND a IN {1, 2}"#, "--sort", "-name"],
        ["count", "E", "--where", "a >", "--", "2"],
      ])
    #expect(
      statements(#"count E where a == "--b" AND (c -- d)"#) == [
        ["count", "E", "--where", #"a == "--b" AND (c -- d)"#]
      ])
  }

  @Test("A quoted where, or one that is part of a word, or of a dot command, is an ordinary word")
  func ordinaryWhere() {
    #expect(
      statements("a 'where' b; a where=1; .read where x; where a") == [
        ["a", "where", "b"], ["a", "where=1"], [".read", "where", "x"], ["where", "a"],
      ])
  }

  @Test("Escaped quotes within a raw predicate do not end its string")
  func rawEscapes() {
    #expect(
      statements(#"fetch E where a == 'it\'s; so' --limit 1"#) == [
        ["fetch", "E", "--where", #"a == 'it\'s; so'"#, "--limit", "1"]
      ])
  }

  @Test(
    "What is open keeps the block open",
    arguments: [
      ("fetch E where (", ShellOpener.parenthesis), ("fetch E where a IN {1, [", .bracket),
      ("fetch E where {", .brace), ("insert E a='x", .singleQuote), (#"insert E a="x("#, .doubleQuote),
      (#"insert E \"#, .continuation), (#"fetch E where a > \"#, .continuation),
      (#"fetch E where a == 'x\'"#, .singleQuote),
    ])
  func open(line: String, opener: ShellOpener) {
    var lexer = ShellLexer()
    #expect(lexer.feed(line).isEmpty)
    #expect(lexer.opener == opener)
  }

  @Test(
    "Closed brackets and a stray closing one leave nothing open",
    arguments: ["a (b)", "a )", "a ([)", "a '('"])
  func closed(line: String) {
    var lexer = ShellLexer()
    #expect(lexer.feed(line).count == 1)
    #expect(lexer.opener == nil)
  }

  @Test("A block over several lines is one statement")
  func blocks() {
    #expect(
      statements("fetch Employee where (", "  a > 1", ") --limit 2") == [
        ["fetch", "Employee", "--where", "(\n  a > 1\n)", "--limit", "2"]
      ])
    #expect(statements(#"insert E \"#, "  a=1 'b", "c'") == [["insert", "E", "a=1", "b\nc"]])
    #expect(statements(#"fet\"#, "ch E") == [["fetch", "E"]])
  }

  @Test("Statements on the line of an open block wait for its end")
  func waiting() {
    var lexer = ShellLexer()
    #expect(lexer.feed("a; b (").isEmpty)
    #expect(lexer.feed(") c").map(\.text) == ["a", "b (\n) c"])
  }

  @Test("Positions count lines of the file and columns in characters")
  func positions() throws {
    var lexer = ShellLexer(name: "load.gs")
    _ = lexer.feed("# first")
    let statement = try #require(lexer.feed("insert Employee name=Ève salary=-5").first)
    let word = statement.words[3]
    #expect(statement.source.position(at: word.range.lowerBound) == ShellPosition(line: 2, column: 26))
    #expect(statement.source.text(in: word.range) == "salary=-5")
    _ = lexer.feed("b '")
    let second = try #require(lexer.feed("' c; d").last)
    #expect(second.position == ShellPosition(line: 4, column: 6))
    #expect(second.source.line(at: second.range.lowerBound) == "' c; d")
  }

  @Test("A place in a word's text is found in the line as it was typed")
  func places() throws {
    var lexer = ShellLexer()
    let quoted = try #require(lexer.feed(#"fetch E -w "a == \"x\" AND b""#).first)
    let predicate = quoted.words[3]
    #expect(predicate.text == #"a == "x" AND b"#)
    #expect(quoted.source.text(in: predicate.sourceRange(of: 13..<14)) == "b")
    #expect(quoted.source.text(in: predicate.sourceRange(of: 6..<7)) == "x")
    let raw = try #require(lexer.feed("fetch E where   salry > 5 ").first)
    #expect(raw.source.text(in: raw.words[3].sourceRange(of: 0..<5)) == "salry")
    #expect(raw.words[3].isRaw)
  }

  @Test("The end of input inside a quote or bracket is an error that names the place")
  func unclosed() {
    var lexer = ShellLexer(name: "x.gs")
    _ = lexer.feed("a")
    _ = lexer.feed("b 'c")
    _ = lexer.feed("d")
    let error = #expect(throws: ShellError.self) { try lexer.finish() }
    #expect(error?.code == .unclosedQuote)
    #expect(
      error?.place.map { $0.source.position(at: $0.range.lowerBound) } == ShellPosition(line: 2, column: 3))
  }

  @Test("A backslash at the end of input ends the statement")
  func continuationAtEnd() throws {
    var lexer = ShellLexer()
    #expect(lexer.feed(#"a b\"#).isEmpty)
    #expect(try lexer.finish().map(\.arguments) == [["a", "b"]])
  }

  @Test("Reset drops the open block and keeps counting lines")
  func reset() throws {
    var lexer = ShellLexer()
    _ = lexer.feed("a (")
    lexer.reset()
    #expect(lexer.opener == nil)
    #expect(try #require(lexer.feed("b").first).position.line == 2)
  }

  @Test("Any text splits without a trap, and fed in pieces means the same", arguments: TestSeed.sequence(200))
  func anyText(seed: TestSeed) {
    var generator = seed.generator
    let alphabet = [
      "a", " ", "'", "\"", "\\", ";", "(", ")", "{", "]", "#", "--x", " where ", "é", "\n", "=", ".",
    ]
    let text = (0..<60).map { _ in generator.pick(alphabet) }.joined()
    var lexer = ShellLexer()
    var statements: [ShellStatement] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      statements += lexer.feed(line)
      _ = lexer.partial(String(line))
    }
    statements += (try? lexer.finish()) ?? []
    for statement in statements {
      #expect(!statement.words.isEmpty, "\(seed)")
      for word in statement.words {
        #expect(word.range.upperBound <= statement.source.text.utf8.count, "\(seed)")
        #expect(word.sourceRange(of: 0..<word.text.utf8.count).upperBound <= max(word.range.upperBound, 1))
      }
    }
  }
}
