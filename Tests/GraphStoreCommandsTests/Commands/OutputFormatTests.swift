import Foundation
import Testing

@Suite("The eight formats of a result")
struct OutputFormatTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func fetch(_ format: String, _ more: String...) throws -> String {
    let arguments = [
      "fetch", "Employee", "--sort", "badge", "--limit", "2", "--fields", "name,salary,manager", "-f", format,
    ]
    let outcome = try tool.run(CommandLineTool.executable.path, arguments + more, input: nil)
    #expect(outcome.code == 0)
    #expect(outcome.errors == "")
    return outcome.output
  }

  @Test("A table off a terminal is aligned columns without frames")
  func table() throws {
    #expect(
      try fetch("table") == """
        name    salary  manager
        Grace    81000  ∅
        Ada    72000.5  Employee/p1

        """)
  }

  @Test("JSON is one array; ids, and decimals as text")
  func json() throws {
    #expect(
      try fetch("json") == """
        [
          {"id":"Employee/p1","name":"Grace","salary":"81000","manager":null},
          {"id":"Employee/p2","name":"Ada","salary":"72000.5","manager":"Employee/p1"}
        ]

        """)
  }

  @Test("NDJSON is an object a line")
  func ndjson() throws {
    #expect(
      try fetch("ndjson") == """
        {"id":"Employee/p1","name":"Grace","salary":"81000","manager":null}
        {"id":"Employee/p2","name":"Ada","salary":"72000.5","manager":"Employee/p1"}

        """)
  }

  @Test("CSV has a header unless told otherwise, and an empty cell for null")
  func csv() throws {
    #expect(try fetch("csv") == "name,salary,manager\nGrace,81000,\nAda,72000.5,Employee/p1\n")
    #expect(try fetch("csv", "--no-header") == "Grace,81000,\nAda,72000.5,Employee/p1\n")
  }

  @Test("TSV writes null as \\N")
  func tsv() throws {
    #expect(try fetch("tsv") == "name\tsalary\tmanager\nGrace\t81000\t\\N\nAda\t72000.5\tEmployee/p1\n")
  }

  @Test("Markdown is a table")
  func markdown() throws {
    #expect(try fetch("markdown").hasPrefix("| name | salary | manager |\n| --- | ---: | --- |\n| Grace |"))
  }

  @Test("Line is a field a line, with a blank line between objects; --null says how null looks")
  func line() throws {
    #expect(
      try fetch("line", "--null", "-") == """
        name     Grace
        salary   81000
        manager  -

        name     Ada
        salary   72000.5
        manager  Employee/p1

        """)
  }

  @Test("Ids are one a line")
  func ids() throws {
    #expect(try fetch("ids") == "Employee/p1\nEmployee/p2\n")
  }

  @Test("--output writes a file, which takes its name when it is whole")
  func output() throws {
    #expect(try fetch("ids", "-o", "ids.txt") == "")
    #expect(try String(contentsOfFile: tool.path("ids.txt"), encoding: .utf8) == "Employee/p1\nEmployee/p2\n")
    let refused = try tool.run("fetch", "Employee", "-o", "no/such/folder/x")
    #expect(refused.code == 73)
  }

  @Test("No output takes the place of the store or of what belongs to it, whatever the path")
  func outputIsStore() throws {
    _ = try tool.runShell("ln -s hr.db link.db && mkdir folder && ln hr.db folder/hard.db")
    let before = try tool.run("count", "Employee").output
    try tool.write(#"{"title":"x"}"#, to: "x.ndjson")
    let commands =
      ["hr.db", "./folder/../hr.db", "link.db", "folder/hard.db", "hr.db-wal", "hr.db-shm", "hr.db-journal"]
      .map { "export --all -o \($0)" } + [
        "fetch Employee -o hr.db", "model from-store hr.db -o hr.db",
        "filter TRUEPREDICATE x.ndjson -o hr.db",
        "import Project x.ndjson --on-error skip --rejects hr.db",
      ]
    for command in commands {
      let outcome = try tool.runShell("graphstore \(command)")
      #expect(outcome.code == 64, "\(command)")
      #expect(outcome.errors.contains("would replace"), "\(command): \(outcome.errors)")
    }
    #expect(try tool.run("count", "Employee").output == before)
    #expect(try tool.run("count", "Project").output == "1\n")
    #expect(try tool.run("check").code == 0)
    #expect(try !FileManager.default.contentsOfDirectory(atPath: tool.folder.path).contains("hr.db-journal"))
  }

  @Test("Ids of a result without objects are refused")
  func noIDs() throws {
    for command in [["info"], ["metadata", "list"]] {
      let outcome = try tool.run(CommandLineTool.executable.path, command + ["-f", "ids"], input: nil)
      #expect(outcome.code == 64 && outcome.output == "")
      #expect(outcome.errors.contains("no ids"))
    }
  }

  @Test("A key that is asked for twice stands once in a JSON object")
  func keysOnce() throws {
    #expect(
      try tool.run("fetch", "Department", "--fields", "name,name,id", "--ndjson", "--limit", "1").output
        == #"{"name":"Engineering","id":"Department/p1"}"# + "\n")
  }

  @Test("Objects of several entities show their own keys where records name them")
  func ownKeys() throws {
    #expect(
      try tool.run("get", "Project/p1", "Department/p1", "--json").output == """
        [
          {"id":"Project/p1","title":"Compiler"},
          {"id":"Department/p1","name":"Engineering"}
        ]

        """)
    #expect(
      try tool.run("get", "Project/p1", "Department/p1").output
        == "id     Project/p1\ntitle  Compiler\n\nid    Department/p1\nname  Engineering\n")
  }

  @Test("An empty result is an empty array in JSON and nothing in NDJSON")
  func empty() throws {
    #expect(try tool.run("fetch", "Project", "-w", "title == 'x'", "--json").output == "[]\n")
    #expect(try tool.run("fetch", "Project", "-w", "title == 'x'", "--ndjson").output == "")
  }

  @Test("Dates are ISO 8601 in UTC; --time-zone shifts what people see, not JSON")
  func dates() throws {
    let fields = ["fetch", "Employee", "-w", "badge == 1", "--fields", "birthday"]
    func run(_ more: String...) throws -> String {
      try tool.run(CommandLineTool.executable.path, fields + more, input: nil).output
    }
    #expect(try run("-f", "tsv", "--no-header").hasPrefix("1966-12-09"))
    #expect(try run("--ndjson", "--time-zone", "America/New_York").contains("\"1966-12-09T00:00:00Z\""))
    #expect(
      try run("-f", "tsv", "--no-header", "--time-zone", "America/New_York").hasPrefix("1966-12-08T19:00"))
    #expect(try tool.run("fetch", "Employee", "--time-zone", "Nowhere/Land").code == 64)
  }
}
