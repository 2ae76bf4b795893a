import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("Words of a session")
struct SessionWordsTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func run(_ lines: String...) throws -> CommandLineTool.Outcome {
    try tool.run("run", "--keep-going", "-", input: lines.joined(separator: "\n") + "\n")
  }

  @Test(
    "A dot command without its dot, and what other shells call it, is named",
    arguments: [
      ("exit", ".exit"), ("quit", ".quit"), ("help", ".help"), ("?", ".help"), ("begin", ".begin"),
      ("undo 3", ".undo"), ("\\q", ".quit"), ("EXIT", ".exit"), ("schema Employee", ".schema"),
    ])
  func withoutDot(line: String, command: String) throws {
    let outcome = try tool.run("run", "-", input: line + "\n")
    #expect(outcome.code == 65 && outcome.errors.contains("[unknown-command]"), "\(outcome.errors)")
    #expect(outcome.errors.contains("did you mean \"\(command)\""), "\(outcome.errors)")
    #expect(outcome.errors.contains("\".help\" lists what there is"))
  }

  @Test("SQL is told for what it is, in a session and on the command line")
  func sql() throws {
    let session = try run("select * from Employee")
    #expect(session.errors.contains("there is no SQL here: write fetch ENTITY where PREDICATE"))
    #expect(session.errors.contains("\".help\" lists what there is"), "\(session.errors)")
    let command = try tool.run("SELECT", "1")
    #expect(command.code == 64 && command.errors.contains("there is no SQL here"), "\(command.errors)")
  }

  @Test(".explain on says how count runs, too: as a statement that counts")
  func explainedCount() throws {
    let outcome = try run(
      ".explain on", "count Employee where salary > 5", "count Employee --group-by department")
    #expect(outcome.output == "3\n2\n")
    #expect(
      outcome.errors.lowercased().contains("count(") && outcome.errors.contains("ZSALARY"),
      "\(outcome.errors)")
    let quiet = try run("count Employee where salary > 5")
    #expect(quiet.errors == "")
  }

  @Test(".entities shows counts as numbers, which stand on the right")
  func entities() throws {
    let table = try run(".entities")
    #expect(table.output.hasPrefix("entity      objects\n"), "\(table.output)")
    #expect(table.output.contains("Department        2\n"), "\(table.output)")
    let terminal = try PseudoTerminal(
      CommandLineTool.executable.path, ["shell", "-c", ".entities", "-s", tool.path("hr.db")],
      environment: ["TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path, "NO_COLOR": "1"])
    #expect(terminal.wait() == 0)
    #expect(terminal.transcript.contains("│     int │"), "\(terminal.transcript)")
  }

  @Test("Where the terminal has no UTF-8 the line that greets has none either")
  func banner() throws {
    for (locale, isASCII) in [("C", true), ("C.UTF-8", false)] {
      let terminal = try PseudoTerminal(
        CommandLineTool.executable.path, ["shell", "-X", "--history", "", "-s", tool.path("hr.db")],
        environment: ["TERM": "xterm", "LC_ALL": locale, "HOME": tool.folder.path, "NO_COLOR": "1"],
        size: (200, 24))
      #expect(terminal.expect("hr> "), "\(terminal.transcript)")
      #expect(terminal.transcript.utf8.allSatisfy { $0 < 0x80 } == isASCII, "\(terminal.transcript)")
      terminal.send(".quit\n")
      #expect(terminal.wait() == 0)
    }
  }
}
