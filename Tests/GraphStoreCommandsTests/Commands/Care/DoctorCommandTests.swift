import Foundation
import GraphStoreSQLite
import GraphStoreTestSupport
import Testing

@Suite("graphstore doctor")
struct DoctorCommandTests {
  private let model = Repository.root.appendingPathComponent("Models/company.json").path

  /// The words and subjects of the lines.
  private func heads(_ outcome: CommandLineTool.Outcome) -> [String] {
    outcome.lines.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
  }

  @Test("DGN-109: environment, configuration, store and model, in this order; all good is 0")
  func good() throws {
    let tool = try CommandLineTool.staffedCompany()
    let outcome = try tool.run("doctor")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(heads(outcome) == ["ok graphstore", "ok config", "ok store", "ok model"], "\(outcome.output)")
    #expect(outcome.lines[0].contains("SQLite 3.") && outcome.lines[2].contains("WAL"))
    #expect(outcome.lines.allSatisfy { !$0.contains("→") })
    #expect(try tool.run("doctor", "--json").output.hasPrefix(#"{"ok":true,"findings":["#))
    let names = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path)
    #expect(names == ["hr.db"], "\(names)")
  }

  @Test("DGN-109: each line that is not ok has a remedy, and only what fails is 2")
  func remedies() throws {
    let tool = try CommandLineTool()
    let bare = try tool.run("doctor")
    #expect(bare.code == 0 && heads(bare).contains("warn store"), "\(bare)")
    try tool.write("", to: "text")
    tool.environment["GRAPHSTORE_STORE"] = "none.db"
    tool.environment["GRAPHSTORE_STOER"] = "x"
    tool.environment["GRAPHSTORE_HISTORY"] = "text/history"
    tool.environment["TMPDIR"] = "no/such/folder"
    let missing = try tool.run("doctor")
    #expect(missing.code == 2 && heads(missing).contains("FAIL store"), "\(missing)")
    #expect(missing.output.contains("GRAPHSTORE_STORE was meant"))
    #expect(heads(missing).contains("warn history"), "\(missing)")
    #expect(heads(missing).filter { $0 == "warn environment" }.count == 2, "\(missing)")
    for line in missing.lines where !line.hasPrefix("ok") { #expect(line.contains("  → "), "\(line)") }
  }

  @Test("DGN-109: a configuration that cannot be read is its answer, and not the end of it")
  func configuration() throws {
    let tool = try CommandLineTool.staffedCompany()
    try tool.write("{\"stroe\": \"hr.db\"}", to: ".graphstore.json")
    #expect(try tool.run("count", "Employee").code == 78)
    let outcome = try tool.run("doctor")
    #expect(outcome.code == 2, "\(outcome)")
    #expect(heads(outcome) == ["ok graphstore", "FAIL config", "ok store", "ok model"])
    #expect(outcome.output.contains(".graphstore.json") && outcome.output.contains("stroe"))
    try tool.write("{\"timeout\": 3}", to: ".graphstore.json")
    #expect(try tool.run("doctor").lines[1].hasSuffix(".graphstore.json"))
    tool.environment["GRAPHSTORE_TIMEOUT"] = "soon"
    #expect(try tool.run("doctor").output.contains("GRAPHSTORE_TIMEOUT"))
  }

  @Test("DGN-109: a configuration that is a pipe is not waited for")
  func pipe() throws {
    let tool = try CommandLineTool.staffedCompany()
    #expect(try tool.runShell("mkfifo .graphstore.json").code == 0)
    let counted = try tool.runShell("timeout 5 graphstore count Employee")
    #expect(counted.code == 78 && counted.errors.contains("no regular file"), "\(counted)")
    #expect(try tool.runShell("timeout 5 graphstore doctor").code == 2)
  }

  @Test("DGN-109: a model that does not fit the store fails, with the line to type; a broken one too")
  func misfit() throws {
    let tool = try CommandLineTool.staffedCompany()
    let text = try String(contentsOfFile: model, encoding: .utf8)
    try tool.write(
      text.replacing("\"badge\", \"type\": \"int32\"", with: "\"badge\", \"type\": \"int64\""),
      to: "next.json")
    let outcome = try tool.run("doctor", "-m", "next.json")
    #expect(outcome.code == 2, "\(outcome)")
    #expect(heads(outcome).last == "FAIL model")
    #expect(outcome.output.contains("graphstore migrate plan --store hr.db --to next.json"))
    #expect(try tool.run("doctor", "-m", model).code == 0)
    #expect(try tool.run("doctor", "-m", "none.json").code == 2)
    try tool.write("{", to: "broken.json")
    #expect(try tool.run("doctor", "-m", "broken.json").code == 2)
  }

  @Test("DGN-109: damaged, foreign and strange stores are told of, and stay as they are")
  func stores() throws {
    let tool = try CommandLineTool.staffedCompany()
    try tool.damage("CREATE TRIGGER t AFTER INSERT ON ZPERSON BEGIN SELECT 1; END")
    let triggers = try tool.run("doctor")
    #expect(triggers.code == 0 && heads(triggers).contains("warn store"), "\(triggers)")
    try tool.damage("DROP TRIGGER t; DROP INDEX Z_Employee_UNIQUE_badge; UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
    let damaged = try tool.run("doctor")
    #expect(damaged.code == 2 && damaged.output.contains("→ graphstore check --store hr.db"), "\(damaged)")
    try tool.write("hello\n", to: "text")
    #expect(try tool.run("doctor", "-s", "text").code == 2)
    let bare = try CommandLineTool.coreDataStandIn(hasModel: false)
    #expect(try bare.run("doctor", "-s", "app.sqlite").code == 2)
    #expect(try bare.run("doctor", "-s", "app.sqlite", "-m", "library.json").code == 0)
  }
}
