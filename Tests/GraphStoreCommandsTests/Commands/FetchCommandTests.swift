import Foundation
import Testing

@Suite("graphstore fetch, count and get")
struct FetchCommandTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  @Test(
    "PRD-120: an environment that names no locale compares by the root collation", arguments: [11, 12, 40])
  func noLocale(length: Int) throws {
    let tool = try CommandLineTool.staffedCompany()
    tool.environment["LC_ALL"] = String(repeating: "x", count: length)
    let outcome = try tool.run(
      "fetch", "Employee", "-w", "name <[l] 'b'", "--sort", "name:localized", "-f", "ids")
    #expect(outcome.output == "Employee/p2\n", "\(outcome.errors)")
    #expect(try tool.run("count", "Employee", "-w", "name <[l] 'c'").output == "2\n")
  }

  @Test("Several --where must all hold; $variables take the type of the key they meet (PRD-157)")
  func conditions() throws {
    let outcome = try tool.run(
      "fetch", "Employee", "-w", "salary > $min", "--where", "manager.name == $m", "--var", "min=60000",
      "--var",
      "m=Grace", "-f", "ids")
    #expect(outcome.output == "Employee/p2\n")
  }

  @Test("DGN-133: a variable is null only when given as JSON null, and one without a value is named")
  func variables() throws {
    let null = try tool.run("fetch", "Employee", "-w", "manager == $m", "--var", "m:=null", "-f", "ids")
    #expect(null.output == "Employee/p1\n")
    let unbound = try tool.run("fetch", "Employee", "-w", "salary > $min")
    #expect(unbound.code == 64)
    #expect(unbound.errors.contains("[unbound-variable]"))
    #expect(unbound.errors.contains("--var min="))
  }

  @Test("PAT-182: a relationship is compared with a short id")
  func shortIdentifier() throws {
    let outcome = try tool.run(
      "fetch", "Employee", "-w", "department == $d", "--var", "d=Department/p1", "--sort", "name", "-f", "ids"
    )
    #expect(outcome.output == "Employee/p2\nEmployee/p1\n")
  }

  @Test("PRD-265, PRD-266: the order of a locale is that of the environment's, in a store and without one")
  func environmentLocale() throws {
    let names = ["Södertälje", "Sundsvall", "Viborg", "Aarhus", "Ølstykke"]
    let records = names.map { "\"\($0)\"" }.joined(separator: "\n")
    let list = "all:=[" + records.replacing("\n", with: ",") + "]"
    for name in names { try tool.run("insert", "Department", "name=\(name)") }
    for (variable, locale, expected) in [
      ("LC_ALL", "sv_SE.UTF-8", "Aarhus Sundsvall Södertälje Viborg Ølstykke"),
      ("LC_COLLATE", "da_DK.UTF-8", "Sundsvall Södertälje Viborg Ølstykke Aarhus"),
      ("LANG", "de_DE", "Aarhus Ølstykke Södertälje Sundsvall Viborg"),
    ] {
      tool.environment.merge(["LC_ALL": "", "LC_COLLATE": "", "LANG": "C.UTF-8"]) { $1 }
      tool.environment[variable] = locale
      let fetched = try tool.run(
        "fetch", "Department", "-w", "name IN $all", "--var", list, "--sort", "name:localized",
        "--fields", "name", "-f", "csv", "--no-header")
      #expect(
        fetched.lines == expected.split(separator: " ").map(String.init), "\(locale): \(fetched.errors)")
      let filtered = try tool.filter("YES", "--sort", "SELF:localized", input: records)
      #expect(filtered.lines == expected.split(separator: " ").map { "\"\($0)\"" })
    }
  }

  @Test("Sorts by several keys and key paths, ascending and descending, in both notations")
  func sorting() throws {
    let dashed = try tool.run("fetch", "Employee", "--sort", "department.name,-salary", "-f", "ids")
    #expect(dashed.output == "Employee/p1\nEmployee/p2\nEmployee/p3\n")
    let suffixed = try tool.run("fetch", "Employee", "--sort", "salary:desc", "-f", "ids")
    #expect(suffixed.output == "Employee/p1\nEmployee/p2\nEmployee/p3\n")
    #expect(
      try tool.run("fetch", "Employee", "--sort", "-salary", "-f", "ids").output
        == suffixed.output)
  }

  @Test("--limit and --offset cut a window; a limit of 0 asks for nothing")
  func window() throws {
    let one = try tool.run(
      "fetch", "Employee", "--sort", "badge", "--limit", "1", "--offset", "1", "-f", "ids")
    #expect(one.output == "Employee/p2\n")
    #expect(try tool.run("fetch", "Employee", "--limit", "0", "-f", "ids").output == "")
    #expect(try tool.run("fetch", "Employee", "--limit", "-1").code == 64)
  }

  @Test("--quiet --exit-code prints nothing, checks what it was given, and writes the file it was given")
  func quietAnswer() throws {
    let file = tool.folder.appending(path: "answer.csv").path
    let unknown = try tool.run("fetch", "Employee", "-q", "--exit-code", "--fields", "nam")
    #expect(unknown.code == 64)
    let written = try tool.run(
      "fetch", "Employee", "-w", "badge == 1", "-q", "--exit-code", "--fields", "badge", "-f", "csv", "-o",
      file)
    #expect(written.code == 0 && written.output == "")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "badge\n1\n")
  }

  @Test("Without --fields: id, attributes and to-one relationships in the order of the model")
  func defaultFields() throws {
    let outcome = try tool.run("fetch", "Employee", "-w", "badge == 1", "-f", "csv")
    #expect(
      outcome.output == """
        id,name,email,birthday,salary,badge,department,manager
        Employee/p1,Grace,,1966-12-09T00:00:00Z,81000,1,Department/p1,

        """)
  }

  @Test("Fields are key paths: over to-one and to-many relationships, with @count")
  func fieldPaths() throws {
    let outcome = try tool.run(
      "fetch", "Employee", "-w", "badge == 1", "--ndjson", "--fields",
      "name, department.name,reports,reports.name,reports.@count")
    #expect(
      outcome.output == """
        {"id":"Employee/p1","name":"Grace","department.name":"Engineering","reports":["Employee/p2","Employee/p3"],\
        "reports.name":["Ada","Bob"],"reports.@count":2}

        """)
  }

  @Test("A parent entity brings its sub-entities, unless told otherwise")
  func subentities() throws {
    #expect(try tool.run("count", "Person").output == "3\n")
    #expect(try tool.run("count", "Person", "--no-subentities").output == "0\n")
    #expect(try tool.run("count", "Person", "--limit", "2").output == "2\n")
    #expect(try tool.run("count", "Person", "--limit", "2", "--offset", "2").output == "1\n")
    #expect(try tool.run("count", "Person", "--limit", "0", "--exit-code").code == 2)
    #expect(try tool.run("count", "Person", "--offset", "-1").code == 64)
  }

  @Test("--exit-code gives 2 when nothing is found, and with --quiet prints nothing")
  func exitCode() throws {
    #expect(try tool.run("fetch", "Employee", "-w", "salary > 9e9").code == 0)
    let none = try tool.run("fetch", "Employee", "-w", "salary > 9e9", "--exit-code", "-q")
    #expect(none.code == 2)
    #expect(none.output + none.errors == "")
    #expect(try tool.run("count", "Employee", "-w", "salary > 9e9", "--exit-code").code == 2)
    #expect(try tool.run("count", "Employee", "--exit-code").code == 0)
  }

  @Test("FLT-179: get prints one field a line, and finds by URI too")
  func get() throws {
    let outcome = try tool.run("get", "Employee/p2", "--fields", "name,manager.name")
    #expect(outcome.output == "name          Ada\nmanager.name  Grace\n")
    let info = try tool.run("info", "--ndjson").output
    let uuid = try #require(info.firstMatch(of: /"uuid":"([^"]*)"/)?.1)
    #expect(try tool.run("get", "x-coredata://\(uuid)/Employee/p2", "-f", "ids").output == "Employee/p2\n")
    let mixed = try tool.run(
      "get", "x-coredata://\(uuid)/Employee/p98", "x-coredata://\(uuid)/Employee/p1", "-f", "ids")
    #expect(mixed.output == "Employee/p1\n" && mixed.code == 2)
    #expect(mixed.errors.contains("there is no Employee/p98"))
  }

  @Test("get of several entities shows the columns of all in a table")
  func getMixed() throws {
    let outcome = try tool.run("get", "Department/p1", "Project/p1", "-f", "csv")
    #expect(outcome.output == "id,name,title\nDepartment/p1,Engineering,\nProject/p1,,Compiler\n")
  }

  @Test("FLT-179: get of an absent object prints the others and exits 2")
  func getAbsent() throws {
    let outcome = try tool.run("get", "Employee/p99", "Employee/p1", "-f", "ids")
    #expect(outcome.code == 2)
    #expect(outcome.output == "Employee/p1\n")
    #expect(outcome.errors.contains("there is no Employee/p99   [object-not-found]"))
  }

  @Test(
    "DGN-110: --time says how long it took on standard error, and nothing does so off a terminal without it")
  func time() throws {
    let outcome = try tool.run("fetch", "Employee", "--time")
    #expect(outcome.errors.hasPrefix("3 Employee, "))
    let line =
      #/time: [0-9.]+ ms, [0-9.]+ ms in SQLite, [1-9][0-9]* statements?, 3 objects fetched, [1-9][0-9]* MB of memory at most/#
    #expect(
      try line.wholeMatch(in: try #require(outcome.errors.split(separator: "\n").last)) != nil, "\(outcome)")
    #expect(try tool.run("fetch", "Employee").errors == "")
    let json = try tool.run("count", "Employee", "--time", "--error-format", "json").errors
    let object = try JSONDecoder().decode(
      [String: Double].self, from: Data(try #require(json.split(separator: "\n").last).utf8))
    #expect(Set(object.keys) == ["time", "sqlite", "statements", "objects", "peakBytes"])
    #expect(try #require(object["sqlite"]) <= #require(object["time"]))
  }

  @Test("A star in --fields stands for what is printed without, beside others")
  func allFields() throws {
    let all = try tool.run("fetch", "Employee", "-f", "csv").output.split(separator: "\n")
    let more = try tool.run(
      "fetch", "Employee", "--fields", "*, department.name, salary * 12 as yearly", "-f", "csv")
    let lines = more.output.split(separator: "\n")
    #expect(lines.first.map(String.init) == all.first.map { $0 + ",department.name,yearly" }, "\(more)")
    #expect(zip(lines, all).allSatisfy { $0.hasPrefix($1 + ",") } && lines.count == all.count)
    #expect(
      try tool.run("fetch", "Employee", "--fields", "*", "-f", "csv").output.split(separator: "\n") == all)
    #expect(
      try tool.run("fetch", "Employee", "--fields", "*", "--ndjson").output
        == tool.run("fetch", "Employee", "--ndjson").output)
  }

  @Test("A predicate of 10,000 terms runs")
  func manyTerms() throws {
    let terms = (0..<10_000).map { "badge == \($0)" }.joined(separator: " OR ")
    try tool.write("count Employee where \(terms)\n", to: "long.gs")
    let outcome = try tool.run("run", "long.gs")
    #expect(outcome.output == "3\n")
  }
}
