import Testing

@testable import GraphStoreReports

@Suite("Diagnostics")
struct DiagnosticPrinterTests {
  static let unknownKey = Diagnostic(
    code: "unknown-key", message: "Employee has no attribute or relationship \"salry\"",
    source: .init(
      label: "--where", text: "salry > 50000 AND department.name = \"R&D\"", offset: 0, length: 5),
    hints: ["did you mean \"salary\"?"], suggestions: ["salary"], entity: "Employee", exitCode: .usage)

  func text(_ diagnostic: Diagnostic, _ terminal: TerminalInfo = .plain) -> String {
    DiagnosticPrinter(terminal: terminal).describe(diagnostic)
  }

  @Test("An error shows its source line, carets under the problem and a hint")
  func carets() {
    #expect(
      text(Self.unknownKey) == """
        error: Employee has no attribute or relationship "salry"   [unknown-key]
          salry > 50000 AND department.name = "R&D"
          ^^^^^
        hint: did you mean "salary"?

        """)
  }

  @Test("A place at the end of the text gets one caret behind it")
  func caretAtEnd() {
    let error = Diagnostic(
      code: "predicate-syntax", message: "expected a value after \">\"",
      source: .init(label: "--where", text: "salary >", offset: 8, length: 0), exitCode: .usage)
    #expect(text(error).hasSuffix("\n  salary >\n          ^\n"))
  }

  @Test("In a file the error names line and column, and the excerpt has the line's number")
  func location() {
    let script = "a\nb\ninsert Employee name=Eve salary=-5\nc"
    let error = Diagnostic(
      code: "validation", message: "Employee.salary: -5 is less than the minimum 0",
      source: .init(label: "load.gs", text: script, offset: 29, length: 9),
      location: .init(file: "load.gs", line: 14, column: 26),
      details: ["blocked by 13 Region: Region/p41 … (12 more)"],
      exitCode: .dataError)
    #expect(
      text(error) == """
        load.gs:14:26: error: Employee.salary: -5 is less than the minimum 0   [validation]
          14 | insert Employee name=Eve salary=-5
             |                          ^^^^^^^^^
          blocked by 13 Region: Region/p41 … (12 more)

        """)
  }

  @Test("Tabs stay tabs and wide characters count twice before the carets")
  func wideSource() {
    let error = Diagnostic(
      code: "x", message: "m", source: .init(label: "l", text: "\t日本 é = 名前", offset: 13, length: 6))
    #expect(text(error) == "error: m   [x]\n  \t日本 é = 名前\n  \t         ^^^^\n")
  }

  @Test("A long line is cut around the problem, an offset outside of the text is moved into it")
  func longSource() {
    let long = String(repeating: "a", count: 100_000) + " bad " + String(repeating: "b", count: 100_000)
    let lines = text(
      Diagnostic(code: "x", message: "m", source: .init(label: "l", text: long, offset: 100_001, length: 3))
    )
    .split(separator: "\n")
    #expect(lines[1].count < 170)
    let caret = lines[2].prefix { $0 == " " }.count
    #expect(Array(lines[1])[caret..<caret + 3] == ["b", "a", "d"])
    let wild = text(
      Diagnostic(code: "x", message: "m", source: .init(label: "l", text: "é", offset: 99, length: 99)))
    #expect(wild == "error: m   [x]\n  é\n   ^\n")
    let inside = text(
      Diagnostic(code: "x", message: "m", source: .init(label: "l", text: "é", offset: 1, length: -4)))
    #expect(inside == "error: m   [x]\n  é\n  ^\n")
  }

  @Test("Control characters from data do not reach the terminal")
  func escapes() {
    #expect(text(Diagnostic(.warning, code: "x", message: "a\u{1B}[2Jb")) == "warning: a␛[2Jb   [x]\n")
  }

  @Test("Colour only where it is wanted")
  func colour() {
    let colored = text(Diagnostic(code: "x", message: "m"), TerminalInfo(isTerminal: true, usesColor: true))
    #expect(colored == "\u{1B}[1;31merror:\u{1B}[0m m   \u{1B}[2m[x]\u{1B}[0m\n")
  }

  @Test("As JSON an error is one line")
  func json() {
    var error = Self.unknownKey
    error.hints = []
    #expect(
      DiagnosticPrinter(format: .json).describe(error)
        == #"{"error":{"code":"unknown-key","number":136011,"message":"Employee has no attribute or relationship \"salry\"","#
        + #""entity":"Employee","source":"--where","offset":0,"length":5,"suggestions":["salary"],"exit":64}}"#
        + "\n")
  }

  @Test("As an annotation it is a command of a workflow, with nothing in it that would end or divide it")
  func annotation() {
    let error = Diagnostic(
      code: "model-bad-value", message: "100 % \"a\nb\"",
      location: .init(file: "a,b:c.json", line: 3, column: 5), hints: ["take it away"], exitCode: .dataError)
    #expect(
      DiagnosticPrinter(format: .github).describe(error)
        == "::error file=a%2Cb%3Ac.json,line=3,col=5,title=model-bad-value::100 %25 \"a␊b\"%0Ahint: take it away\n"
    )
    #expect(
      DiagnosticPrinter(format: .github).describe(Diagnostic(.warning, code: "x", message: "m"))
        == "::warning title=x::m\n")
  }

  @Test("What is short is told whole, and the cut keeps both ends")
  func cut() {
    let text = String(repeating: "a", count: 2000)
    #expect(DiagnosticPrinter.cut(text) == text)
    let long = "begin" + String(repeating: "é", count: 5000) + "end"
    let shown = DiagnosticPrinter.cut(long)
    #expect(shown.hasPrefix("beginé") && shown.hasSuffix("éend") && shown.utf8.count < 4000, "\(shown)")
  }
}
