import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("What is wrong with several values")
struct ValueProblemTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  @Test(
    "It is told together, values that cannot be read and values that a rule forbids",
    arguments: [
      ["insert", "Employee", "salary=abc", "badge=abc", "email=x"],
      ["update", "Employee/p1", "salary=abc", "badge=abc", "email=x"],
      ["upsert", "Employee", "--key", "badge", "salary=abc", "badge=abc", "email=x"],
    ])
  func together(_ words: [String]) throws {
    let outcome = try tool.run(CommandLineTool.executable.path, words, input: nil)
    #expect(
      outcome.code == 65 && outcome.errors.contains("[multiple-validation-errors]"), "\(outcome.errors)")
    for text in ["salary", "badge", "email", "3 values or links are not valid", "nothing was written"] {
      #expect(outcome.errors.contains(text), "\(text): \(outcome.errors)")
    }
    #expect(try tool.run("count", "Employee").output == "3\n")
    #expect(try tool.run("check").code == 0)
  }

  @Test("A record and a statement of a script are told the same way, with their lines")
  func located() throws {
    let records = try tool.run(
      "insert", "Employee", "-", input: "{\"name\":\"A\"}\n{\"badge\":\"x\",\"salary\":\"y\",\"nme\":1}\n")
    #expect(records.code == 65 && records.errors.hasPrefix("<stdin>:2: "), "\(records.errors)")
    for text in ["badge", "salary", "nme"] { #expect(records.errors.contains(text), "\(records.errors)") }
    let script = try tool.run("run", "-c", "insert Employee badge=x salary=y")
    #expect(script.code == 65 && script.errors.contains("badge") && script.errors.contains("salary"))
    #expect(try tool.run("count", "Employee").output == "3\n")
  }

  @Test("In a session it leaves what can be redone")
  func redo() throws {
    let outcome = try tool.run(
      "run", "--keep-going", "-",
      input: """
        insert Department name=A
        .undo
        insert Employee badge=x salary=y email=z
        .redo

        """)
    #expect(outcome.errors.contains("3 values or links are not valid"), "\(outcome.errors)")
    #expect(outcome.output.hasSuffix("redone: insert Department name=A\n"), "\(outcome.output)")
  }

  @Test("One problem is told by itself; an unknown key makes the command wrong")
  func single() throws {
    let one = try tool.run("insert", "Employee", "name=A", "badge=x")
    #expect(one.code == 65 && one.errors.contains("[value-type]"), "\(one.errors)")
    let unknown = try tool.run("insert", "Employee", "nme=A", "badge=x")
    #expect(unknown.code == 64 && unknown.errors.contains("nme") && unknown.errors.contains("badge"))
    let json = try tool.run("insert", "Employee", "badge=x", "salary=y", "--error-format", "json")
    #expect(json.errors.contains(#""errors":[{"code":"value-type""#), "\(json.errors)")
    #expect(json.lines.isEmpty && json.errors.split(separator: "\n").count == 1)
  }

  @Test("However long what is quoted, an error is of a length that can be read", arguments: ["text", "json"])
  func long(_ format: String) throws {
    let long = String(repeating: "x", count: 300_000)
    let header = try tool.run(
      "import", "Project", "-", "--from", "csv", "--error-format", format, input: "\(long)\nv\n")
    #expect(header.code != 0 && header.errors.utf8.count < 12_000, "\(header.errors.utf8.count)")
    #expect(header.errors.contains("xxx"))
    try tool.write("\(long) = 1\n", to: "script")
    let script = try tool.run("run", "script", "--error-format", format)
    #expect(script.code == 65 && script.errors.utf8.count < 12_000, "\(script.errors.utf8.count)")
    let name = String(repeating: "é", count: 30_000)
    let key = try tool.run("insert", "Employee", "\(name)=1", "--error-format", format)
    #expect(key.code == 64 && key.errors.utf8.count < 12_000, "\(key.errors.utf8.count)")
    #expect(!key.errors.contains("\u{FFFD}"))
  }
}
