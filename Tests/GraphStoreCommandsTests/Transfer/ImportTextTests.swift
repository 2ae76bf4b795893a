import Foundation
import Testing

@Suite("What stands for a missing value, and files that an import writes")
struct ImportTextTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.company() }

  @Test("--null is read back as export wrote it; in quotes it is the text")
  func null() throws {
    try tool.write("title\nNULL\n\"NULL\"\n", to: "p.csv")
    let missing = try tool.run("import", "Project", "p.csv", "--null", "NULL")
    #expect(missing.code == 65 && missing.errors.contains("p.csv:2"), "\(missing.errors)")
    try tool.write("name,badge,email\nA,NULL,NULL\n\"NULL\",2,\nB,,\n", to: "e.csv")
    #expect(try tool.run("import", "Employee", "e.csv", "--null", "NULL").code == 0)
    let exported = try tool.run(
      "fetch", "Employee", "--fields", "name,badge,email", "-f", "csv", "--null", "NULL", "--no-header")
    #expect(exported.lines == ["A,NULL,NULL", "\"NULL\",2,NULL", "B,NULL,NULL"])
    try tool.write("name\tbadge\temail\nT\tNULL\t\\N\n", to: "e.tsv")
    #expect(try tool.run("import", "Employee", "e.tsv", "--null", "NULL").code == 0)
    #expect(
      try tool.run("count", "Employee", "-w", "name == 'T' AND badge == nil AND email == nil").output == "1\n"
    )
  }

  @Test("Records that are read a second time have the same missing values")
  func again() throws {
    try tool.write("name,badge,email\nA,NULL,NULL\nB,x,NULL\nC,3,NULL\n", to: "e.csv")
    let outcome = try tool.run(
      "import", "Employee", "e.csv", "--null", "NULL", "--on-error", "skip", "--rejects", "r.ndjson")
    #expect(outcome.code == 5, "\(outcome.errors)")
    #expect(try tool.run("count", "Employee", "-w", "email == nil").output == "2\n")
    #expect(try String(contentsOfFile: tool.path("r.ndjson"), encoding: .utf8).contains(#""email":null"#))
  }

  @Test("--null without a table, or with what parts its cells, is refused")
  func refused() throws {
    try tool.write("{\"name\":\"A\"}\n", to: "e.ndjson")
    try tool.write("name\nA\n", to: "e.csv")
    #expect(try tool.run("import", "Employee", "e.ndjson", "--null", "NULL").code == 64)
    #expect(try tool.run("import", "Employee", "e.csv", "--null", "a,b").code == 64)
    #expect(try tool.run("count", "Employee").output == "0\n")
  }

  @Test(
    "Rejects never replace what is imported, however it is named",
    arguments: ["bad.csv", "./bad.csv", "link.csv"])
  func rejects(_ path: String) throws {
    try tool.write("name,badge\nA,1\nB,x\n", to: "bad.csv")
    try FileManager.default.createSymbolicLink(atPath: tool.path("link.csv"), withDestinationPath: "bad.csv")
    let outcome = try tool.run(
      "import", "Employee", "bad.csv", "--on-error", "skip", "--rejects", path, "--yes")
    #expect(
      outcome.code == 64 && outcome.errors.contains("--rejects would replace bad.csv"), "\(outcome.errors)")
    #expect(try String(contentsOfFile: tool.path("bad.csv"), encoding: .utf8) == "name,badge\nA,1\nB,x\n")
    #expect(try tool.run("count", "Employee").output == "0\n")
  }

  @Test("STO-313: the second import of a name says that it was done before, as text or JSON")
  func once() throws {
    try tool.write("name\nA\n", to: "e.csv")
    #expect(try tool.run("import", "Employee", "e.csv", "--once", "seed").code == 0)
    let again = try tool.run("import", "Employee", "e.csv", "--once", "seed")
    #expect(again.code == 0 && again.errors == "seed was imported before; nothing to do\n", "\(again.errors)")
    let json = try tool.run("import", "Employee", "e.csv", "--once", "seed", "--error-format", "json")
    #expect(
      json.errors.contains(#""inserted":0"#) && json.errors.contains(#""wasDoneBefore":true"#),
      "\(json.errors)")
    #expect(try tool.run("import", "Employee", "e.csv", "--once", "seed", "-q").errors == "")
    #expect(try tool.run("count", "Employee").output == "1\n")
  }
}
