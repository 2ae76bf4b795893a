import Foundation
import Testing

@Suite("Questions, answered with the command")
struct QuestionTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func script(_ lines: String..., options: String...) throws -> CommandLineTool.Outcome {
    try tool.run(
      CommandLineTool.executable.path, ["run", "-"] + options,
      input: Data(lines.joined(separator: "\n").utf8))
  }

  private static let model = Repository.root.appendingPathComponent("Models/company.json").path

  @Test(
    "PAT-178: a session makes contexts, changes between them, and lists what is unsaved in each")
  func contexts() throws {
    let outcome = try script(
      ".context new draft", ".begin", "insert Department name=X", ".context switch main",
      ".context list",
      ".context switch draft", ".rollback")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.lines.suffix(2) == ["* main   no unsaved changes", "  draft  within .begin, 1 inserted"],
      "\(outcome)")
  }

  @Test("PAT-180: default data come with init --seed, or once with import --once")
  func seeds() throws {
    try tool.write("{\"entity\":\"Department\",\"name\":\"Seeded\"}\n", to: "all.ndjson")
    try tool.write("{\"name\":\"Seeded\"}\n", to: "Department.ndjson")
    let made = try tool.run("init", "new.db", "-m", Self.model, "--seed", "all.ndjson")
    #expect(made.code == 0, "\(made.errors)")
    #expect(try tool.run("count", "Department", "-s", "new.db").output == "1\n")
    for _ in 1...2 {
      #expect(
        try tool.run("import", "Department", "Department.ndjson", "--once", "first").code == 0)
      #expect(try tool.run("count", "Department").output == "3\n")
    }
  }

  @Test(
    "PAT-181: a database of one's own is no store; its rows are imported as JSON, and linked by a key"
  )
  func databases() throws {
    try tool.write("SQLite format 3\0", to: "own.db")
    let opened = try tool.run("count", "Employee", "-s", "own.db")
    #expect(opened.code == 65 && opened.errors.contains("[not-a-store]"), "\(opened.errors)")
    let rows =
      "[{\"name\":\"Eve\",\"badge\":9,\"department\":\"Sales\"},\n{\"name\":\"Mia\",\"badge\":10,\"department\":null}]\n"
    let imported = try tool.run(
      "import", "Employee", "-", "--from", "json", "--link", "department=name", input: rows)
    #expect(imported.code == 0, "\(imported.errors)")
    let found = try tool.run(
      "fetch", "Employee", "-w", "department.name == 'Sales'", "--fields", "name", "-f", "csv")
    #expect(found.lines == ["name", "Bob", "Eve"])
  }

  @Test("PAT-183: the order in which objects were made is that of an attribute that says so")
  func orderOfMaking() throws {
    try tool.write(
      """
      { "name": "Log", "entities": [ { "name": "Note", "attributes": [
        { "name": "text", "type": "string" }, { "name": "createdAt", "type": "date" } ] } ] }
      """, to: "log.json")
    #expect(try tool.run("init", "log.db", "-m", "log.json").code == 0)
    for (text, time) in [
      ("b", "2026-02-01T00:00:00Z"), ("a", "2026-02-01T00:00:00.5Z"), ("c", "2026-01-31T00:00:00Z"),
    ] {
      #expect(try tool.run("insert", "Note", "text=\(text)", "createdAt=\(time)", "-s", "log.db").code == 0)
    }
    let sorted = try tool.run(
      "fetch", "Note", "--sort", "createdAt", "--fields", "text", "-f", "csv", "-s", "log.db")
    #expect(sorted.lines == ["text", "c", "b", "a"])
  }

  @Test("PAT-206: a store keeps the permissions of its file whatever is done with it, and damage is found")
  func permissions() throws {
    let path = tool.path("hr.db")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    try tool.damage("UPDATE ZPERSON SET ZDEPARTMENT = 77 WHERE Z_PK = 2")
    for words in [
      ["update", "Employee/p1", "name=G"], ["compact"], ["check", "--repair", "--yes"], ["backup", "b.db"],
    ] {
      let outcome = try tool.run(CommandLineTool.executable.path, words, input: nil)
      #expect(outcome.code == 0, "\(words): \(outcome.errors)")
    }
    for file in ["hr.db", "hr.db.backup", "b.db"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: tool.path(file))
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(file)")
    }
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.seek(toOffset: 4096)
    handle.write(Data(repeating: 0xA5, count: 4096))
    try handle.close()
    #expect(try tool.run("check").code != 0)
  }

  @Test(
    "PAT-184: an object goes to another context by its id, where it is a second reference to the record"
  )
  func otherContext() throws {
    let outcome = try script(
      ".begin", "update Employee/p2 name=Unsaved", ".context new b",
      "get Employee/p2 --fields name",
      ".context switch main", "get Employee/p2 --fields name", ".rollback")
    #expect(outcome.lines == ["name  Ada", "name  Unsaved"], "\(outcome)")
  }

  @Test("PAT-185: a total is a field")
  func total() throws {
    let outcome = try tool.run(
      "fetch", "Department", "--fields", "name,employees.@sum.salary", "-f", "csv")
    #expect(
      outcome.lines == ["name,employees.@sum.salary", "Engineering,153000.50", "Sales,50000"]
        || outcome.lines
          == ["name,employees.@sum.salary", "Engineering,153000.5", "Sales,50000"],
      "\(outcome)")
  }

  @Test(
    "PAT-187, PAT-188: no SQL is run; --time, explain, --trace and --sql-log show what a case takes"
  )
  func efficiency() throws {
    let refused = try script("select * from ZPERSON")
    #expect(
      refused.code == 65 && refused.errors.contains("there is no SQL here"), "\(refused.errors)")
    let words = ["fetch", "Employee", "--where", "badge == 2", "-f", "ids"]
    let plan = try tool.run("explain", "Employee", "--where", "badge == 2")
    let statement = try #require(plan.output.split(separator: "\n").first { $0.hasPrefix("sql ") })
      .dropFirst("sql ".count).drop { $0 == " " }.prefix { $0 != "[" }.trimmingCharacters(
        in: .whitespaces)
    let log = try tool.run(
      CommandLineTool.executable.path, words + ["--sql-log", "1", "--time", "--trace", "fetches"],
      input: nil)
    #expect(log.output == "Employee/p2\n")
    #expect(log.errors.contains("GraphStore: trace: fetch entity=Employee"), "\(log.errors)")
    #expect(
      log.errors.contains("\ntime: ") && log.errors.contains(" ms in SQLite"), "\(log.errors)")
    #expect(
      log.errors.contains("GraphStore: sql: SELECT ") && statement.hasPrefix("SELECT "),
      "\(log.errors)")
  }

  @Test(
    "PAT-190: contexts are not kept in step; a second save says what differs, .refresh takes it over"
  )
  func conflict() throws {
    let outcome = try script(
      ".begin", "update Employee/p2 salary=7", ".context new b", "update Employee/p2 salary=9",
      ".context switch main", "get Employee/p2 --fields salary", ".commit", ".refresh Employee/p2",
      ".commit",
      options: "--keep-going")
    #expect(outcome.lines.first == "salary  7" && outcome.code == 5, "\(outcome)")
    #expect(outcome.errors.contains("[merge-conflict]"), "\(outcome.errors)")
    #expect(
      outcome.errors.contains("Employee/p2 salary: you 7, store 9, was 72000.5"),
      "\(outcome.errors)")
    #expect(try tool.run("get", "Employee/p2", "--fields", "salary").output == "salary  7\n")
  }

  @Test("PAT-191: data are validated at the save, or earlier by insert --dry-run and .validate")
  func validation() throws {
    let rehearsed = try tool.run("insert", "Employee", "badge=9", "--dry-run")
    #expect(
      rehearsed.code == 65 && rehearsed.errors.contains("Employee.name"), "\(rehearsed.errors)")
    let outcome = try script(".begin", "insert Employee badge=9", ".validate", ".rollback")
    #expect(
      outcome.code == 0 && outcome.lines.last?.contains("[validation 1570]") == true, "\(outcome)")
  }

  @Test(
    "PAT-193: model show sketches an entity, export writes what insert - takes, model diagram draws"
  )
  func sketch() throws {
    #expect(try tool.run("model", "from-store", "-o", "m.json").code == 0)
    let shown = try tool.run("model", "show", "m.json", "--entity", "Department")
    #expect(shown.output.contains("name") && !shown.output.contains("badge"), "\(shown)")
    let exported = try tool.run("export", "Project", "--no-id")
    let copied = try tool.run("insert", "Project", "-", input: exported.output)
    #expect(copied.output == "Project/p2\n", "\(copied)")
    #expect(
      try tool.run("model", "diagram", "m.json", "--as", "mermaid").output.hasPrefix("erDiagram"))
  }

  @Test("PAT-194: .undo and .redo work inside and outside of .begin")
  func undo() throws {
    let outcome = try script(
      "update Employee/p2 name=Saved", ".undo", "get Employee/p2 --fields name", ".redo", ".begin",
      "update Employee/p2 name=Kept", ".undo", "get Employee/p2 --fields name", ".redo", ".commit",
      "get Employee/p2 --fields name")
    #expect(
      outcome.lines.filter { $0.hasPrefix("name") } == ["name  Ada", "name  Saved", "name  Kept"],
      "\(outcome)")
  }

  @Test("PAT-195: a dry run tells what a deletion would do, and what denies it")
  func deletion() throws {
    let cascade = try tool.run("delete", "Department/p2", "--dry-run")
    #expect(
      cascade.output.contains("cascade Department.employees") && cascade.code == 0, "\(cascade)")
    let denied = try tool.run("delete", "Employee/p1", "--dry-run")
    #expect(
      denied.code == 3 && denied.output.contains("\"reports\" must be empty (rule: deny)"),
      "\(denied)")
    #expect(try tool.run("count", "Employee").output == "3\n")
  }

  @Test("PAT-196: != leaves out objects without the value, and explain says so")
  func missingValue() throws {
    _ = try tool.run("insert", "Employee", "name=None")
    #expect(try tool.run("count", "Employee", "--where", "badge != 2").output == "2\n")
    #expect(
      try tool.run("count", "Employee", "--where", "badge != 2 OR badge == nil").output == "3\n")
    let plan = try tool.run("explain", "Employee", "--where", "badge != 2")
    #expect(plan.output.contains("leaves out objects without badge"), "\(plan)")
  }

  @Test("PAT-200: a renaming identifier keeps the data, and without it the plan shows the loss")
  func renaming() throws {
    func version(_ attribute: String) -> String {
      "{\"name\":\"N\",\"entities\":[{\"name\":\"T\",\"attributes\":[\(attribute)]}]}"
    }
    try tool.write(version("{\"name\":\"old\",\"type\":\"string\"}"), to: "1.json")
    try tool.write(version("{\"name\":\"new\",\"type\":\"string\"}"), to: "2.json")
    try tool.write(
      version("{\"name\":\"new\",\"type\":\"string\",\"renamingIdentifier\":\"old\"}"), to: "3.json"
    )
    try #require(try tool.run("init", "t.db", "-m", "1.json").code == 0)
    try #require(try tool.run("insert", "T", "old=x", "-s", "t.db").code == 0)
    let lost = try tool.run("migrate", "plan", "-s", "t.db", "--to", "2.json")
    #expect(lost.output.contains("- T.old") && !lost.output.contains("> T.new"), "\(lost)")
    let renamed = try tool.run("migrate", "plan", "-s", "t.db", "--to", "3.json")
    #expect(renamed.output.contains("> T.new") && !renamed.output.contains("- T.old"), "\(renamed)")
  }

  @Test("PAT-202: dates are instants, and --time-zone chooses how they print")
  func timeZone() throws {
    let words = ["get", "Employee/p1", "--fields", "birthday"]
    #expect(
      try tool.run("get", "Employee/p1", "--fields", "birthday").output
        == "birthday  1966-12-09T00:00:00Z\n")
    let shown = try tool.run(
      CommandLineTool.executable.path, words + ["--time-zone", "Asia/Tokyo"], input: nil)
    #expect(shown.output == "birthday  1966-12-09T09:00:00+09:00\n")
    let found = try tool.run(
      "count", "Employee", "--where", "birthday == '1966-12-09T09:00:00+09:00'")
    #expect(found.output == "1\n", "\(found.errors)")
  }

  @Test("PAT-203: ids and URIs of saved objects stay, those of unsaved ones are refused later")
  func identifiers() throws {
    let outcome = try script(".begin", "insert Department name=X", ".rollback")
    #expect(outcome.lines.first == "Department/t1")
    let refused = try tool.run("get", "Department/t1")
    #expect(refused.code == 65 && refused.errors.contains("[temporary-id]"), "\(refused.errors)")
    let identifier = try tool.run("info", "--json").output
    let store = try #require(identifier.firstMatch(of: /"uuid":"([0-9A-F-]+)"/)?.1)
    #expect(
      try tool.run("get", "x-coredata://\(store)/Employee/p1", "--fields", "name").output
        == tool.run("get", "Employee/p1", "--fields", "name").output)
  }

  @Test("PAT-204: a history says who has changed what")
  func history() throws {
    #expect(try tool.run("history").errors.contains("[history-not-tracked]"))
    #expect(try tool.run("history", "enable").code == 0)
    #expect(try tool.run("update", "Employee/p1", "badge=77", "--author", "ada").code == 0)
    let changes = try tool.run("history", "--since", "2020-01-01", "-f", "csv")
    let line = changes.lines.last ?? ""
    #expect(line.contains(",ada,") && line.contains(",update,Employee/p1,badge,"), "\(changes)")
  }

  @Test("PAT-205: a relationship lives in one store; the error says what goes over two")
  func stores() throws {
    try #require(try tool.run("init", "two.db", "-m", Self.model).code == 0)
    let outcome = try tool.run(
      "insert", "Employee", "name=X", "department=hr:Department/p1", "--into-store", "two",
      "--store",
      "hr=hr.db", "--store", "two=two.db")
    #expect(
      outcome.code == 65 && outcome.errors.contains("[cross-store-relationship]"),
      "\(outcome.errors)")
    #expect(
      outcome.errors.contains("use a fetched property, or keep the other object's URI"),
      "\(outcome.errors)")
  }
}
