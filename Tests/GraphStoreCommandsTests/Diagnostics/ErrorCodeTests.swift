import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("Codes of errors, where people meet them")
struct ErrorCodeTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func run(_ words: [String]) throws -> CommandLineTool.Outcome {
    try tool.run(CommandLineTool.executable.path, words, input: nil)
  }

  private func expect(
    _ code: String, _ exit: Int32, _ outcome: CommandLineTool.Outcome,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.code == exit, "\(outcome.errors)", sourceLocation: sourceLocation)
    #expect(outcome.errors.contains("   [\(code)]\n"), "\(outcome.errors)", sourceLocation: sourceLocation)
  }

  // MARK: Form

  @Test("DGN-111: message and code, details indented by two, a hint, all on standard error")
  func form() throws {
    let outcome = try run(["fetch", "Employee", "--where", "salry > 5"])
    #expect(outcome.output.isEmpty && outcome.code == 64)
    #expect(
      outcome.errors == """
        error: Employee has no attribute or relationship "salry"   [unknown-key]
          salry > 5
          ^^^^^
        hint: did you mean "salary"?  Also known: name, email, birthday, badge, department, manager, reports, projects

        """)
  }

  // MARK: Requests

  @Test(
    "DGN-158: an operator that does not fit the types names both",
    arguments: [("name > 5", "string"), ("salary LIKE \"x\"", "decimal")])
  func typeMismatch(predicate: String, type: String) throws {
    let outcome = try run(["count", "Employee", "--where", predicate])
    expect("type-mismatch", 64, outcome)
    #expect(outcome.errors.contains("is a \(type)"), "\(outcome.errors)")
  }

  @Test(
    "DGN-260: what results cannot hold, or cannot be grouped by, has its code",
    arguments: [
      (["--distinct", "--fields", "reports"], "invalid-property"),
      (["--aggregate", "sum:name"], "invalid-property"),
      (["--aggregate", "count as a, sum:salary as a"], "duplicate-result-name"),
      (["--aggregate", "count", "--fields", "name"], "group-by-required"),
      (["--having", "count > 1"], "group-by-required"),
      (["--group-by", "name", "--having", "salary > 1"], "invalid-having"),
    ])
  func results(options: [String], code: String) throws {
    expect(code, 64, try run(["fetch", "Employee"] + options))
  }

  @Test("DGN-243: other codes of predicates have no number, and are 65 in a script")
  func predicates() throws {
    let words = ["count", "Employee", "--where", "FUNCTION(1, \"nothing\") == 2"]
    expect("unknown-function", 64, try run(words))
    let json = try run(words + ["--error-format", "json"])
    #expect(
      json.errors.contains("\"code\":\"unknown-function\"") && !json.errors.contains("\"number\""), "\(json)")
    let line = "count Employee where FUNCTION(1, \"nothing\") == 2"
    expect("unknown-function", 65, try run(["run", "-c", line]))
  }

  @Test("DGN-242: a request that is larger than SQLite takes is told in SQLite's words")
  func large() throws {
    let keys = Array(repeating: "name", count: 2500).joined(separator: ",")
    let outcome = try run(["fetch", "Employee", "--sort", keys])
    expect("invalid-request", 64, outcome)
    #expect(outcome.errors.contains("too many terms in ORDER BY clause"), "\(outcome.errors.prefix(500))")
  }

  // MARK: Output

  @Test(
    "DGN-246, DGN-202: output that cannot be made is 73, output that cannot be written 74, a lost reader 141")
  func output() throws {
    expect("cannot-create", 73, try run(["fetch", "Employee", "-o", "none/x.csv"]))
    expect("disk-full", 74, try tool.runShell("graphstore fetch Employee > /dev/full"))
    // The reader has gone before the first row is written.
    let gone = try tool.runShell(
      "mkfifo p; { graphstore fetch Employee > p; echo $? > code; } & exec 3< p; exec 3<&-; wait; cat code")
    #expect(gone.output == "141\n" && gone.errors.isEmpty, "\(gone)")
  }

  @Test("DGN-219: what is done for a part ends with 5, and the last line counts both")
  func partial() throws {
    let script = try tool.run("run", "-", "--keep-going", input: "count Employee\ncount Nothing\n")
    #expect(script.code == 5 && script.errors.hasSuffix("1 of 2 statements failed\n"), "\(script)")
    let records = "{\"title\":\"A\"}\n{\"title\":5}\n"
    let imported = try tool.run("import", "Project", "-", "--on-error", "skip", input: records)
    #expect(imported.code == 5, "\(imported)")
    #expect(
      imported.errors.split(separator: "\n").last?.hasPrefix("2 read: 1 inserted, 1 rejected") == true,
      "\(imported)")
  }

  // MARK: Scripts

  @Test(
    "DGN-247, DGN-222: what is wrong about a script is 65, with its place",
    arguments: [
      ("count 'Employee", "unclosed-quote"), ("fetch Employee where (a", "unclosed-bracket"),
      (".begin", "unclosed-transaction"), (".commit", "no-transaction"),
      (".begin\n.begin", "nested-transaction"),
      (".format nothing", "wrong-argument"), (".read self.gs", "too-deep"),
    ])
  func scripts(text: String, code: String) throws {
    try tool.write(text + "\n", to: "self.gs")
    let outcome = try run(["run", "self.gs"])
    expect(code, 65, outcome)
    // What lacks its end has no place.
    #expect(
      outcome.errors.hasPrefix("self.gs:") || code == "unclosed-transaction", "\(outcome.errors)")
  }

  @Test("DGN-247: a script that cannot be read is 66, one that is no text 65")
  func unreadable() throws {
    try FileManager.default.createDirectory(atPath: tool.path("folder"), withIntermediateDirectories: true)
    expect("unreadable-file", 66, try run(["run", "folder"]))
    expect(
      "invalid-utf8", 65,
      try tool.run(
        CommandLineTool.executable.path, ["run", "-"],
        input: Data("count \u{FF}".unicodeScalars.map { UInt8($0.value) })))
  }

  // MARK: Words of the command

  private static let model = Repository.root.appendingPathComponent("Models/company.json").path

  @Test(
    "DGN-248: the words of the command for what it is given",
    arguments: [
      (["get", "Employee/x"], "bad-id"), (["upsert", "Employee", "name=X"], "key-missing"),
      (["upsert", "Person", "name=X"], "key-missing"),
      (["import", "Department", "d.ndjson", "--keep-ids"], "not-empty"),
      (["model", "lint", model, "--disable", "nothing"], "unknown-rule"),
      (["help", "nothing"], "unknown-topic"),
      (["count", "Employee", "--var", "x=1"], "unknown-variable"),
      (["model", "show", model + "#9"], "unknown-version"),
      (["fetch", "Employee", "--time-zone", "Nowhere"], "unknown-time-zone"),
      (["count", "Employee", "--profile", "nothing"], "unknown-profile"),
    ])
  func words(words: [String], code: String) throws {
    try tool.write("{\"name\":\"K\"}\n", to: "d.ndjson")
    expect(code, 64, try run(words))
  }

  @Test(
    "DGN-248: the words of the command within a script",
    arguments: [
      ("count Employee --store other.db", "other-store"),
      (".context new --scratch x\nmetadata set a=b", "scratch-context"),
      (".query run nothing", "unknown-query"),
    ])
  func sessionWords(text: String, code: String) throws {
    expect(code, 65, try tool.run("run", "-", input: text))
  }

  @Test("DGN-248: a drawing without its program is 78")
  func missingProgram() throws {
    tool.environment["PATH"] = "/nowhere"
    expect("graphviz-missing", 78, try run(["model", "diagram", Self.model, "--as", "svg"]))
  }
}
