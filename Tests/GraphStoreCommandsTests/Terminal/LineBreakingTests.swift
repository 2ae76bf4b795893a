import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStoreCommands

@Suite("Lines that are broken between words")
struct LineBreakingTests {
  @Test("A line that fits, or has no width to fit into, stays as it is")
  func fitting() {
    #expect(LineBreaking.lines("a  b", columns: 4) == ["a  b"])
    #expect(LineBreaking.lines("", columns: 1) == [""])
    #expect(LineBreaking.lines("one two three", columns: nil) == ["one two three"])
  }

  @Test("What goes on stands behind the indent, a label, or where it is asked to")
  func indents() {
    #expect(LineBreaking.lines("one two three", columns: 9) == ["one two", "three"])
    #expect(LineBreaking.lines("  one two three", columns: 10) == ["  one two", "  three"])
    #expect(
      LineBreaking.lines("FAIL  name  one two three four", columns: 20)
        == ["FAIL  name  one two", "      three four"])
    #expect(
      LineBreaking.lines("hint: one two three", columns: 12, indent: 6)
        == ["hint: one", "      two", "      three"])
    // A label that would leave no room has its text below.
    #expect(LineBreaking.lines("a long label  and text", columns: 14) == ["a long label", "    and text"])
    #expect(
      LineBreaking.lines("  long label   one two", columns: 12) == ["  long label", "      one", "      two"])
    // An indent that would leave no room is cut.
    #expect(
      LineBreaking.lines("          one two three", columns: 10) == ["     one", "     two", "     three"])
  }

  @Test("A word that is wider than a line stays whole; styles take no room, wide characters two columns")
  func widths() {
    #expect(LineBreaking.lines("a abcdefgh b", columns: 4) == ["a", "abcdefgh", "b"])
    let styled = Style.bold.apply("one", if: true) + " two"
    #expect(LineBreaking.lines(styled, columns: 7) == [styled])
    #expect(LineBreaking.lines("日本 語", columns: 6) == ["日本", "語"])
  }

  @Test("A page fills those paragraphs anew that do not fit, and keeps its lines elsewhere")
  func pages() {
    let page = "one two three four\nfive six\n\n  a      b c d e f g h\n\nseven\neight"
    #expect(LineBreaking.page(page, columns: 80) == page)
    #expect(
      LineBreaking.page(page, columns: 14)
        == "one two three\nfour five six\n\n  a\n      b c d e\n      f g h\n\nseven\neight")
  }

  @Test(
    "Random lines keep their words in order, and no line with two of them is too wide",
    arguments: TestSeed.sequence(20, from: 400))
  func random(seed: TestSeed) {
    var random = seed.generator
    for _ in 0..<200 {
      let words = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        String(
          repeating: ["x", "é", "語"].randomElement(using: &random) ?? "x",
          count: .random(in: 1...9, using: &random))
      }
      let line = words.map { String(repeating: " ", count: .random(in: 1...3, using: &random)) + $0 }.joined()
      let columns = Int.random(in: 4...40, using: &random)
      let broken = LineBreaking.lines(line, columns: columns)
      #expect(broken.flatMap { $0.split(separator: " ") }.map(String.init) == words, "\(seed)")
      for line in broken where line.split(separator: " ").count > 1 {
        #expect(DisplayWidth.of(line) <= columns, "\(seed): \(line)")
      }
    }
  }
}

@Suite("Texts for people at terminals of any width")
struct TerminalWidthTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  /// What the command prints at a terminal, in lines, with no style.
  private func output(_ arguments: [String], columns: UInt16) throws -> [String] {
    let terminal = try PseudoTerminal(
      CommandLineTool.executable.path, arguments,
      environment: [
        "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path, "NO_COLOR": "1",
        "GRAPHSTORE_STORE": tool.path("hr.db"),
      ], size: (columns, 24))
    _ = terminal.wait()
    return terminal.transcript.replacingOccurrences(of: "\r", with: "").components(separatedBy: "\n")
  }

  @Test(
    "The terminal breaks no word: pages of help, findings, errors with their hints, and footers",
    arguments: [40, 60, 80, 100, 140] as [UInt16])
  func widths(columns: UInt16) throws {
    let topics = HelpTopic.allCases.map { ["help", $0.rawValue] }
    let model = Repository.root.appendingPathComponent("Models/company.json").path
    let commands =
      topics + [
        [], ["check"], ["fetch", "Employee", "--where", "salry > 5"],
        ["count", "Nobody"], ["delete", "Employee/p1", "--dry-run"], ["ftch"], ["run", "-c", "exit"],
        ["insert", "Employee", "badge=x"], ["predicate", "check", "Employee", "salary > 5"],
        ["model", "lint", model], ["delete", "Employee/p1", "--yes"], ["help", "nothing"],
      ]
    for command in commands {
      for line in try output(command, columns: columns) where DisplayWidth.of(line) > columns {
        // One word may be wider than the terminal: an entity's keys with a list, or a path.
        #expect(line.split(separator: " ").contains { $0.count > columns / 2 }, "\(command): \(line)")
      }
    }
  }

  @Test("The names of columns that are left out go on below")
  func footer() throws {
    let lines = try output(["fetch", "Employee"], columns: 40)
    let footer = try #require(lines.firstIndex { $0.hasPrefix("+") && $0.contains("column") })
    #expect(lines[footer...].allSatisfy { DisplayWidth.of($0) <= 40 }, "\(lines)")
    #expect(lines[footer...].joined(separator: " ").contains("see --fields"))
  }
}
