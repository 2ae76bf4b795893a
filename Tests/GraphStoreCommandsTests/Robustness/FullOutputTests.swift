import Foundation
import GraphStoreTestSupport
import Testing

/// No room: for the output, or for the store.
struct FullOutputTests {
  @Test("DGN-202: what cannot be printed ends with 74")
  func output() throws {
    let tool = try CommandLineTool.staffedCompany()
    let commands = [
      "fetch Employee", "fetch Employee -f json", "fetch Employee -f csv", "export Employee",
      "count Employee",
      "get Employee/p1", "info", "check", "model show", "--help", "run -c 'count Employee'",
    ]
    for command in commands {
      let outcome = try tool.runShell("graphstore \(command) >/dev/full")
      #expect(outcome.code == 74, "\(command)")
      #expect(outcome.errors.contains("[disk-full]"), "\(command)")
    }
  }

  @Test("DGN-202: what is saved and cannot be printed is told by its id, and that it is saved")
  func saved() throws {
    let tool = try CommandLineTool.staffedCompany()
    for output in [">/dev/full", ">&-"] {
      let made = try tool.runShell("graphstore insert Project title=New \(output)")
      #expect(made.code == 74)
      let id = try #require(try tool.run("fetch", "Project", "-f", "ids").lines.last)
      #expect(made.errors.contains("\(id) is saved"), "\(made.errors)")
      #expect(made.errors.contains("do not repeat"))
    }
    let records = try tool.runShell(
      "printf '{\"title\":\"a\"}\\n{\"title\":\"b\"}\\n' | graphstore insert Project - >/dev/full")
    #expect(records.errors.contains("Project/p4, Project/p5 are saved"), "\(records.errors)")
    #expect(try tool.run("count", "Project").output == "5\n")
  }

  @Test("DGN-202: a script whose output cannot be written saves nothing and says so")
  func script() throws {
    let tool = try CommandLineTool.staffedCompany()
    let outcome = try tool.runShell("graphstore run -c 'insert Department name=Lost' >/dev/full")
    #expect(outcome.code == 74)
    #expect(outcome.errors.contains("nothing was saved"))
    #expect(try tool.run("count", "Department").output == "2\n")
  }

  @Test("DGN-202: an upsert whose result cannot be printed is saved, and the error says so")
  func change() throws {
    let tool = try CommandLineTool.staffedCompany()
    let outcome = try tool.runShell("graphstore upsert Employee badge=1 name=X --return name >/dev/full")
    #expect(outcome.code == 74)
    #expect(outcome.errors.contains(" is saved"), "\(outcome.errors)")
    #expect(try tool.run("count", "Employee", "-w", "name == 'X'").output == "1\n")
  }

  @Test(
    "DGN-202: what is done and cannot be told as JSON is told to be done, without the advice to try again",
    arguments: [
      ("update Employee/p1 salary=5", "the change is saved"), ("delete Project/p1", "the change is saved"),
      ("backup copy.db", "copy.db"), ("restore other.db --yes", "hr.db is a copy of other.db"),
      ("migrate apply --to next.json", "is migrated to 2"),
    ])
  func done(_ command: String, _ deed: String) throws {
    let tool = try CommandLineTool.staffedCompany()
    let model = Repository.root.appendingPathComponent("Models/company.json").path
    let edit = #"s/"version": "1"/"version": "2"/; s/"badge", "type": "int32"/"badge", "type": "int64"/"#
    #expect(try tool.runShell("cp hr.db other.db; sed '\(edit)' '\(model)' > next.json").code == 0)
    let outcome = try tool.runShell("graphstore \(command) --json >/dev/full")
    #expect(outcome.code == 74, "\(outcome)")
    #expect(outcome.errors.contains("\(deed), though the output failed: "), "\(outcome)")
    #expect(outcome.errors.contains("do not repeat"), "\(outcome)")
    #expect(!outcome.errors.contains("try again"), "\(outcome)")
  }

  @Test("DGN-202: an export that cannot be written leaves the file that was there")
  func file() throws {
    let tool = try CommandLineTool.staffedCompany()
    try tool.write("before", to: "out.ndjson")
    let outcome = try tool.runShell(
      "trap '' XFSZ; ulimit -f 0; graphstore export Employee -y -o out.ndjson 2>/dev/null")
    #expect(outcome.code == 74)
    #expect(try tool.runShell("cat out.ndjson; ls | grep -v hr.db-").lines == ["beforehr.db", "out.ndjson"])
  }

  @Test("DGN-191: an import for which the file may not grow leaves the store as it was")
  func limitedFile() throws {
    let tool = try CommandLineTool.staffedCompany()
    let title = String(repeating: "x", count: 1000)
    try tool.write(
      (0..<3000).map { "{\"title\":\"\(title)\($0)\"}\n" }.joined(), to: "projects.ndjson")
    let outcome = try tool.runShell("trap '' XFSZ; ulimit -f 1024; graphstore import Project projects.ndjson")
    #expect(outcome.code == 74)
    #expect(try tool.run("count", "Project").output == "1\n")
    #expect(try tool.run("check").code == 0)
    #expect(try tool.run("import", "Project", "projects.ndjson").code == 0)
    #expect(try tool.run("count", "Project").output == "3001\n")
  }
}
