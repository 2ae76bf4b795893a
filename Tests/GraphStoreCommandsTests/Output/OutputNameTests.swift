import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("The form of an output, by its name and by settings")
struct OutputNameTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: tool.path(name), encoding: .utf8)
  }

  @Test(
    "The name of the file says the form in every command that prints records",
    arguments: [
      ("d.csv", "name\nEngineering\nSales\n"),
      ("d.ndjson", "{\"name\":\"Engineering\"}\n{\"name\":\"Sales\"}\n"),
      ("d.txt", "name       \nEngineering\nSales      \n"),
    ])
  func names(name: String, expected: String) throws {
    let outcome = try tool.run("fetch", "Department", "--fields", "name", "--no-id", "-o", name)
    #expect(outcome.code == 0 && outcome.errors == "")
    #expect(try text(name).replacing(" ", with: "") == expected.replacing(" ", with: ""))
    for words in [["get", "Department/p1"], ["info"], ["metadata", "list"]] {
      #expect(try tool.run(CommandLineTool.executable.path, words + ["-o", "r.json"], input: nil).code == 0)
      #expect(try text("r.json").hasPrefix("["))
      try FileManager.default.removeItem(atPath: tool.path("r.json"))
    }
  }

  @Test("An option goes before the name, the name before the environment")
  func order() throws {
    tool.environment["GRAPHSTORE_FORMAT"] = "json"
    #expect(try tool.run("fetch", "Department", "--fields", "name", "-o", "d.csv").code == 0)
    #expect(try text("d.csv").hasPrefix("name\n"))
    #expect(
      try tool.run("fetch", "Department", "--fields", "name", "-o", "d.csv", "-f", "tsv", "-y").code == 0)
    #expect(try tool.run("export", "Department", "-o", "e.csv").code == 0)
    #expect(try text("e.csv").hasPrefix("id,name\n"))
  }

  @Test("export follows the environment and the configuration, where their form is one of records")
  func export() throws {
    tool.environment["GRAPHSTORE_FORMAT"] = "csv"
    #expect(try tool.run("export", "Department").lines.first == "id,name")
    tool.environment["GRAPHSTORE_FORMAT"] = "table"
    #expect(try tool.run("export", "Department").lines.first?.hasPrefix("{") == true)
    tool.environment["GRAPHSTORE_FORMAT"] = nil
    try tool.write("{\"format\":\"tsv\"}", to: ".graphstore.json")
    #expect(try tool.run("export", "Department").lines.first == "id\tname")
    #expect(try tool.run("export", "Department", "-f", "table").code == 64)
  }

  @Test("A name that stands for a form of other programs is refused", arguments: ["fetch", "export"])
  func foreign(_ command: String) throws {
    for name in ["d.xlsx", "d.xlsx.gz"] {
      let outcome = try tool.run(command, "Department", "-o", name)
      #expect(outcome.code == 64 && outcome.errors.contains("[unknown-form]"), "\(outcome.errors)")
      #expect(outcome.errors.contains(".xlsx") && outcome.errors.contains(".csv, .tsv"), "\(outcome.errors)")
      #expect(!FileManager.default.fileExists(atPath: tool.path(name)))
    }
    #expect(try tool.run(command, "Department", "-o", "d.xlsx", "-f", "csv", "-y").errors == "")
    #expect(try tool.run(command, "Department", "-o", "d.out").errors == "")
  }

  @Test("A drawing is not made in a form that there is not", arguments: ["d.png", "d.pdf", "a.b/d.jpeg"])
  func drawings(_ name: String) throws {
    let outcome = try tool.run("model", "diagram", "-o", name)
    #expect(outcome.code == 64 && outcome.errors.contains(".svg"), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: tool.path(name)))
    #expect(try tool.run("model", "diagram", "-o", "drawing", "--as", "dot").code == 0)
    #expect(try tool.run("model", "diagram", "-o", "v1.0/../drawing", "-y").code != 70)
  }

  @Test(
    "What stands for a missing value is one cell",
    arguments: [("csv", "a,b"), ("csv", "\""), ("csv", "a\nb"), ("tsv", "a\tb")])
  func null(format: String, text: String) throws {
    let outcome = try tool.run(
      "fetch", "Employee", "-f", format, "--fields", "birthday,badge", "--null", text)
    #expect(
      outcome.code == 64 && outcome.output == "" && outcome.errors.contains("--null"), "\(outcome.errors)")
    #expect(try tool.run("fetch", "Employee", "-f", "table", "--null", "a,b").code == 0)
  }

  @Test("--no-id leaves the object's own id out, in every form")
  func noIdentifier() throws {
    #expect(
      try tool.run("fetch", "Department", "--fields", "name", "--no-id", "--ndjson").lines[0]
        == "{\"name\":\"Engineering\"}")
    #expect(try tool.run("fetch", "Department", "--no-id", "-f", "csv").lines[0] == "name")
    #expect(
      try tool.run("get", "Department/p1", "--no-id", "--ndjson").lines == ["{\"name\":\"Engineering\"}"])
    #expect(
      try tool.run("export", "Department", "--fields", "name", "--no-id").lines[0]
        == "{\"name\":\"Engineering\"}")
    #expect(try tool.run("export", "Department", "--no-id", "-f", "csv").lines[0] == "name")
    #expect(
      try tool.run("fetch", "Department", "--fields", "id,name", "--no-id", "--ndjson").lines[0]
        == "{\"id\":\"Department/p1\",\"name\":\"Engineering\"}")
  }

  @Test("A history or a log is never written into the store")
  func appended() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: tool.path("hr.db")))
    let mode = try FileManager.default.attributesOfItem(atPath: tool.path("hr.db"))[.posixPermissions] as? Int
    for words in [["shell", "--history", "hr.db"], ["shell", "--history", "./hr.db-wal"]] {
      let outcome = try tool.run(CommandLineTool.executable.path, words, input: Data("count Employee\n".utf8))
      #expect(
        outcome.code == 64 && outcome.errors.contains("the history would be written into"),
        "\(outcome.errors)")
    }
    tool.environment["GRAPHSTORE_LOG"] = "hr.db"
    let logged = try tool.run("count", "Employee", "--trace", "fetches")
    #expect(logged.code == 78 && logged.errors.contains("GRAPHSTORE_LOG"), "\(logged.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: tool.path("hr.db"))) == before)
    #expect(
      try FileManager.default.attributesOfItem(atPath: tool.path("hr.db"))[.posixPermissions] as? Int == mode)
    let absent = tool.path("none/log")
    tool.environment["GRAPHSTORE_LOG"] = absent
    let told = try tool.run("count", "Employee", "--trace", "fetches")
    #expect(told.errors.contains("\(absent) cannot be written"), "DGN-008: \(told.errors)")
    #expect(told.errors.contains("fetch entity=Employee"), "\(told.errors)")
  }

  @Test("A log is never written into a file that is read")
  func logAmongInputs() throws {
    let text = "name\nResearch\n"
    try FileManager.default.createDirectory(atPath: tool.path("data"), withIntermediateDirectories: true)
    for name in ["d.csv", "data/Department.csv"] { try tool.write(text, to: name) }
    try tool.write("count Department\n", to: "s.gs")
    for (log, words) in [
      ("d.csv", ["import", "Department", "./d.csv", "-n"]),
      ("data/Department.csv", ["import", "--all", "data", "-n"]),
      ("s.gs", ["run", "s.gs"]),
    ] {
      let before = try Data(contentsOf: URL(fileURLWithPath: tool.path(log)))
      tool.environment["GRAPHSTORE_LOG"] = log
      let outcome = try tool.run(
        CommandLineTool.executable.path, words + ["--trace", "fetches,saves"], input: nil)
      #expect(outcome.code == 78 && outcome.errors.contains("GRAPHSTORE_LOG"), "\(words): \(outcome.errors)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: tool.path(log))) == before)
    }
    tool.environment["GRAPHSTORE_LOG"] = "data/trace.log"
    try tool.write("", to: "data/trace.log")
    #expect(try tool.run("import", "--all", "data", "--trace", "fetches").code == 0)
  }

  @Test("A history that is no text is left alone")
  func binaryHistory() throws {
    let path = tool.path("other.db")
    try Data("SQLite format 3\0rest".utf8).write(to: URL(fileURLWithPath: path))
    let file = HistoryFile(path: path)
    #expect(file.load() == [] && !file.append("count Employee"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("SQLite format 3\0rest".utf8))
  }
}
