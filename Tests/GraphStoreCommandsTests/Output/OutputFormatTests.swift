import Foundation
import Testing

@Suite("The formats of a result")
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

  @Test(
    "A file that is there is replaced with --yes only where nobody can be asked, before any work is done",
    arguments: [
      ["fetch", "Employee", "-o", "out"], ["export", "Employee", "-o", "out"],
      ["get", "Employee/p1", "-o", "out"], ["export", "--all", "-f", "json", "-o", "out"],
      ["filter", "a == 1", "none.ndjson", "-o", "out"], ["model", "from-store", "hr.db", "-o", "out"],
      ["import", "Employee", "none.ndjson", "--on-error", "skip", "--rejects", "out"],
      ["export", "--all", "-f", "csv", "-o", "folder"],
    ])
  func replacing(words: [String]) throws {
    try tool.write("", to: "none.ndjson")
    try tool.write("kept", to: "out")
    try FileManager.default.createDirectory(atPath: tool.path("folder"), withIntermediateDirectories: true)
    try tool.write("kept", to: "folder/Employee.csv")
    let program = CommandLineTool.executable.path
    let refused = try tool.run(program, words, input: nil)
    #expect(refused.code == 4 && refused.errors.contains("--yes"), "\(refused.errors)")
    for file in ["out", "folder/Employee.csv"] {
      #expect(try String(contentsOfFile: tool.path(file), encoding: .utf8) == "kept")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: tool.path("folder")) == ["Employee.csv"])
    let replaced = try tool.run(program, words + ["--yes"], input: nil)
    #expect(replaced.code == 0, "\(replaced.errors)")
    let isFolder = words.last == "folder"
    #expect(
      try String(contentsOfFile: tool.path(isFolder ? "folder/Employee.csv" : "out"), encoding: .utf8)
        != "kept")
  }

  @Test("A change is not made where its ids cannot be written")
  func changeWithoutOutput() throws {
    try tool.write("kept", to: "out")
    #expect(try tool.run("insert", "Department", "name=X", "-o", "out").code == 4)
    #expect(try tool.run("count", "Department", "-w", "name == 'X'").output == "0\n")
    #expect(try tool.run("insert", "Department", "name=X", "-o", "out", "-y").code == 0)
    #expect(try String(contentsOfFile: tool.path("out"), encoding: .utf8) != "kept")
  }

  @Test("What has no content to lose is written without a question")
  func devices() throws {
    #expect(try fetch("ids", "-o", "/dev/null") == "")
    #expect(
      try tool.runShell(
        "mkfifo p; (cat p >got &); graphstore fetch Employee -f ids -o p && sleep 0.2; cat got"
      ).code == 0)
  }

  @Test("Numbers of single precision read the same in every command and form")
  func singlePrecision() throws {
    let tool = try CommandLineTool()
    try tool.write(
      #"""
      {"entities":[{"name":"P","attributes":[{"name":"f","type":"float"},{"name":"d","type":"double"}],
      "relationships":[{"name":"next","destination":"P","inverse":"back"},
      {"name":"back","destination":"P","inverse":"next","toMany":true}]}]}
      """#, to: "m.json")
    tool.environment["GRAPHSTORE_STORE"] = "m.db"
    #expect(try tool.run("init", "m.db", "--model", "m.json").code == 0)
    #expect(
      try tool.run("insert", "P", "f=0.1", "d=0.1", "--return", "f", "-f", "csv").lines == ["f", "0.1"])
    #expect(try tool.run("insert", "P", "f=0.3", "next=P/p1").code == 0)
    for format in ["table", "json", "ndjson", "csv", "tsv", "markdown", "line"] {
      for words in [
        ["fetch", "P"], ["get", "P/p1", "P/p2"], ["get", "P/p1", "P/p2", "--fields", "f,back.f,next.f"],
      ] {
        let shown = try tool.run(CommandLineTool.executable.path, words + ["-f", format], input: nil)
        #expect(
          shown.code == 0 && shown.output.contains("0.3") && !shown.output.contains("00000"),
          "\(shown.output)")
      }
    }
    for format in ["json", "ndjson", "csv", "tsv", "markdown"] {
      #expect(!(try tool.run("export", "P", "-f", format).output.contains("00000")))
      #expect(!(try tool.run("export", "P", "-f", format, "--sort", "f").output.contains("00000")))
    }
    let pending = try tool.run(
      "shell",
      input:
        ".begin\ninsert P f=0.7 --return f\nupdate P/p1 f=0.2\nfetch P --fields f,back.@max.f\nget P/p1\n.commit\n"
    )
    #expect(
      pending.code == 0 && pending.output.contains("0.7") && !pending.output.contains("00000"),
      "\(pending.output)")
    // A sum is computed in double precision, and shown so.
    #expect(
      try tool.run("get", "P/p1", "--fields", "back.@sum.f", "-f", "csv").lines.last == "0.30000001192092896")
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
