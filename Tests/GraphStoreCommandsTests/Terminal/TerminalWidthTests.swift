import Foundation
import GraphStoreReports
import GraphStoreTestSupport
import Testing

@testable import GraphStoreCommands

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
