import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("graphstore explain and --strict")
struct ExplainCommandTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func labels(_ lines: [String]) -> [String] {
    lines.compactMap { line in line.first == " " ? nil : line.split(separator: " ").first.map(String.init) }
  }

  private func line(_ label: String, _ outcome: CommandLineTool.Outcome) -> String? {
    outcome.lines.first { $0.hasPrefix(label + " ") }
  }

  @Test("FET-259, DGN-069: labelled blocks in their order, the label in the first column")
  func blocks() throws {
    let outcome = try tool.run(
      "explain", "Employee", "-w", "salary > 50000 AND name MATCHES name", "--sort", "name", "--limit", "5")
    #expect(outcome.code == 0 && outcome.errors == "")
    #expect(
      labels(outcome.lines) == ["predicate", "sql", "plan", "sort", "window", "rows", "advice"])
    #expect(line("advice", outcome) == "advice      none")
    let few = try tool.run("explain", "Employee")
    #expect(labels(few.lines) == ["sql", "plan", "rows", "advice"])
    #expect(line("rows", few) == "rows        3 of 3 read from the store")
  }

  @Test(
    "DGN-068: it takes every option of fetch but those of its output, and only says what a fetch would do")
  func options() throws {
    func options(_ name: String) throws -> Set<String> {
      Set(try #require(CommandOutlines.commands.first { $0.name == name }).options.map(\.name))
    }
    // Those of get are options of output; these are as well.
    let ofRequests = try options("fetch").subtracting(options("get"))
      .subtracting(["--stream", "--exit-code", "--watch", "--every"])
    #expect(ofRequests.isSuperset(of: ["--where", "--group-by", "--template", "--prefetch", "--strict"]))
    #expect(try ofRequests.subtracting(options("explain")) == [])
    let words = ["Employee", "-w", "badge > 1", "--group-by", "department", "--aggregate", "sum:badge"]
    let outcome = try tool.run(CommandLineTool.executable.path, ["explain"] + words, input: nil)
    #expect(outcome.code == 0 && outcome.output.contains(" GROUP BY "), "\(outcome.errors)")
    #expect(!outcome.output.contains("Department/p1"))
  }

  @Test("DGN-070, DGN-071: one line a part, variables filled in, an arrow and the place")
  func parts() throws {
    let outcome = try tool.run(
      "explain", "Employee", "-w", "badge > $min", "-w", "name CONTAINS[c] 'a' AND name MATCHES name",
      "--var", "min=1")
    #expect(outcome.lines[0] == #"predicate   badge > 1              → SQL"#)
    #expect(outcome.lines[1] == #"            name CONTAINS[c] "a"   → SQL (function per row)"#)
    #expect(outcome.lines[2] == #"            name MATCHES name      → in memory (regular expression)"#)
    #expect(outcome.lines[3].hasPrefix("sql         SELECT "))
    #expect(outcome.lines[3].contains("   [1, "))
  }

  @Test("DGN-075, DGN-076: sort and window say where they act")
  func sortAndWindow() throws {
    let store = try tool.run("explain", "Employee", "--sort", "name", "--limit", "1", "--offset", "2")
    #expect(line("sort", store) == "sort        in SQL, sorted after reading")
    #expect(line("window", store) == "window      limit 1, offset 2 in SQL")
    let memory = try tool.run("explain", "Employee", "-w", "name MATCHES name", "--limit", "1")
    #expect(
      line("window", memory) == "window      limit 1 in memory (mixed with a part that is in memory)")
    #expect(
      line("window", try tool.run("explain", "Employee", "--limit", "0"))
        == "window      limit 0: nothing is read")
    #expect(
      line("rows", try tool.run("explain", "Employee", "--limit", "0"))
        == "rows        0 of 3 read from the store")
    #expect(try tool.run("explain", "Employee", "--limit", "0", "--json").output.contains(#""read":0"#))
    #expect(try tool.run("explain", "Employee", "--time").errors.hasPrefix("explained, "))
  }

  @Test("DGN-078: --analyze runs it and prints rows, objects and both times")
  func analyze() throws {
    let outcome = try tool.run("explain", "Employee", "-w", "badge > 1", "--analyze")
    #expect(line("rows", outcome) == "rows        2 of 3 returned by the store")
    #expect(outcome.output.contains("            2 returned as objects\n"))
    #expect(outcome.output.contains("sql connection fetch time: 0."))
    #expect(outcome.output.contains("s for 2 rows\n"))
  }

  @Test("DGN-081: --json prints one object")
  func json() throws {
    let outcome = try tool.run(
      "explain", "Employee", "-w", "badge > 1 AND name MATCHES name", "--sort", "-badge", "--limit", "2",
      "--json")
    #expect(outcome.lines.count == 1)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(object["entity"] as? String == "Employee")
    let parts = try #require(object["predicate"] as? [[String: Any]])
    #expect(parts.map { $0["text"] as? String } == ["badge > 1", "name MATCHES name"])
    #expect(parts.map { $0["place"] as? String } == ["SQL", "in memory"])
    #expect(parts[1]["reason"] as? String == "regular expression")
    #expect(parts[0]["reason"] is NSNull)
    let statements = try #require(object["statements"] as? [[String: Any]])
    #expect(statements.count == 1 && (statements[0]["binds"] as? [String])?.contains("1") == true)
    #expect((statements[0]["plan"] as? [String])?.isEmpty == false)
    #expect((object["sort"] as? [String: Any])?["place"] as? String == "SQL")
    #expect((object["window"] as? [String: Any])?["place"] as? String == "in memory")
    let rows = try #require(object["rows"] as? [String: Any])
    #expect(rows["total"] as? Int == 3 && rows["exact"] as? Bool == false)
    #expect((object["advice"] as? [Any])?.isEmpty == true)
  }

  @Test("DGN-082: the errors of fetch, with their exit codes")
  func errors() throws {
    for arguments in [
      ["Employee", "-w", "salry > 1"], ["Employe"], ["Employee", "--sort", "nope"],
      ["Employee", "--fields", "nope"], ["Employee", "-w", "salary >"],
    ] {
      let program = CommandLineTool.executable.path
      let fetch = try tool.run(program, ["fetch"] + arguments, input: nil)
      let explain = try tool.run(program, ["explain"] + arguments, input: nil)
      #expect(fetch.code == 64 && explain.code == fetch.code)
      #expect(explain.errors == fetch.errors)
    }
  }

  @Test("STO-173: explain writes nothing, and works on a store that cannot be written")
  func readOnly() throws {
    let before = try Data(contentsOf: tool.folder.appendingPathComponent("hr.db"))
    #expect(try tool.run("explain", "Employee", "-w", "badge > 1", "--analyze", "--read-only").code == 0)
    #expect(try Data(contentsOf: tool.folder.appendingPathComponent("hr.db")) == before)
  }

  // MARK: --strict

  @Test(
    "FET-018, PRD-232: --strict refuses what cannot go down, with its place; exit 64",
    arguments: [
      "explain", "fetch", "count",
    ])
  func strict(_ command: String) throws {
    let refused = try tool.run(
      command, "Employee", "-w", "badge > 0 AND name MATCHES name", "--strict")
    #expect(refused.code == 64 && refused.output == "")
    #expect(refused.errors.hasPrefix("error: the store cannot run name MATCHES name (regular expression)"))
    #expect(refused.errors.contains("[unsupported-in-store]"))
    #expect(refused.errors.contains("\n                ^^^^^^^^^^^^^^^^^\n"), "\(refused.errors)")
    #expect(try tool.run(command, "Employee", "-w", "badge > 0", "--strict").code == 0)
  }

  @Test("FET-018: --strict names every part, in whichever --where it stands")
  func everyPart() throws {
    let refused = try tool.run(
      "fetch", "Employee", "-w", "badge > 0", "-w", "name MATCHES name", "-w", "random:(badge) == 1",
      "--strict")
    #expect(refused.code == 64)
    #expect(
      refused.errors.hasPrefix(
        "error: the store cannot run 2 parts of the request   [unsupported-in-store]"))
    #expect(refused.errors.contains("\n  name MATCHES name\n  ^^^^^^^^^^^^^^^^^\n"))
    #expect(refused.errors.contains("name MATCHES name (regular expression)"))
    #expect(refused.errors.contains("random:(badge) == 1 ("))
  }

  @Test("FET-018: fields may be read from the objects; they are not refused")
  func strictFields() throws {
    #expect(
      try tool.run("fetch", "Employee", "--fields", "reports.@avg.salary", "--strict", "-f", "csv").code == 0)
  }

  // MARK: Session

  @Test("DGN-083: .explain on prints the blocks before each result, on stderr")
  func session() throws {
    let outcome = try tool.run(
      "run", "-",
      input: """
        .explain on
        fetch Employee -w "badge == 1" -f ids
        .explain off
        fetch Employee -f ids

        """)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.lines.first == "Employee/p1")
    #expect(outcome.errors.hasPrefix("predicate   badge == 1   → SQL\n"))
    #expect(outcome.errors.components(separatedBy: "advice").count == 2)
  }
}
