import Foundation
import Testing

@Suite("graphstore insert, update, upsert, link and unlink")
struct WritingCommandTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func line(_ id: String, _ fields: String) throws -> String {
    try tool.run("get", id, "--fields", fields, "--ndjson").output
  }

  @Test("insert prints the id; text takes the type of its key")
  func insert() throws {
    let outcome = try tool.run("insert", "Employee", "name=Eve", "salary=12.50", "birthday=2001-02-03")
    #expect(outcome.output == "Employee/p4\n")
    #expect(
      try line("Employee/p4", "salary,birthday")
        == "{\"id\":\"Employee/p4\",\"salary\":\"12.5\",\"birthday\":\"2001-02-03T00:00:00Z\"}\n")
  }

  @Test("A related object is named by its id, or looked up by a predicate that must match one")
  func lookUp() throws {
    let found = try tool.run("insert", "Employee", "name=Eve", "department?=name == 'Sales'")
    #expect(found.code == 0)
    #expect(try line("Employee/p4", "department").contains("Department/p2"))
    let none = try tool.run("insert", "Employee", "name=Eve", "department?=name == 'Nowhere'")
    #expect(none.code == 65)
    #expect(none.errors.contains("[unresolved-link]"))
    let several = try tool.run("insert", "Employee", "name=Eve", "department?=name != nil")
    #expect(several.code == 65)
    #expect(several.errors.contains("[not-unique]"))
    let wrong = try tool.run("insert", "Employee", "name=Eve", "department?=nme == 'Sales'")
    #expect(wrong.code == 64)
    #expect(wrong.errors.contains("  nme == 'Sales'\n  ^^^\n"))
    #expect(try tool.run("count", "Employee").output == "4\n")
  }

  @Test("JSON values: null, numbers, lists of ids, and objects that are made along")
  func json() throws {
    let outcome = try tool.run(
      "insert", "Project", #"title:="Quoted \"title\"""#,
      #"members:=["Employee/p3",{"name":"Nested","department":{"name":"New"}}]"#)
    #expect(outcome.output == "Project/p2\n")
    #expect(
      try line("Project/p2", "title,members.name,members.department.name").contains(
        #""title":"Quoted \"title\"","members.name":["Bob","Nested"]"#))
    #expect(try tool.run("update", "Employee/p2", "manager:=null").code == 0)
    #expect(try line("Employee/p2", "manager").contains("null"))
    #expect(try tool.run("insert", "Project", "title:=[").code == 64)
  }

  @Test("key=@FILE takes a file: NUL, emoji and 10 MB come back as they were")
  func files() throws {
    let big = String(repeating: "x", count: 10_000_000) + "👩‍🚀é\u{0}\u{202E}end"
    try tool.write(big, to: "big")
    #expect(try tool.run("insert", "Project", "title=@big").code == 0)
    let outcome = try tool.run("get", "Project/p2", "--fields", "title", "-f", "json")
    let array = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
    #expect(array.first?["title"] as? String == big)
    #expect(try tool.run("insert", "Project", "title=@nofile").code == 66)
  }

  @Test("Values that look like SQL are values")
  func injection() throws {
    let text = "'); DROP TABLE ZPROJECT; --"
    #expect(try tool.run("insert", "Project", "title=\(text)").code == 0)
    let outcome = try tool.run("fetch", "Project", "-w", "title == $t", "--var", "t=\(text)", "-f", "ids")
    #expect(outcome.output == "Project/p2\n")
  }

  @Test("insert - reads NDJSON in one save; an id is a label for the records behind it")
  func stream() throws {
    let records = """
      {"id":"boss","name":"Hopper","salary":1}
      {"name":"Two","manager":"boss","salary":"2.25"}
      """
    let outcome = try tool.run("insert", "Employee", "-", input: records)
    #expect(outcome.output == "Employee/p4\nEmployee/p5\n")
    #expect(try line("Employee/p5", "manager").contains("Employee/p4"))
    let broken = try tool.run("insert", "Employee", "-", input: "{\"name\":\"ok\"}\n{\"nme\":\"x\"}\n")
    #expect(broken.code == 65)
    #expect(broken.errors.hasPrefix("<stdin>:2: error: Employee has no attribute or relationship \"nme\""))
    #expect(try tool.run("count", "Employee").output == "5\n")
  }

  @Test("DGN-226, OBJ-506: --into links at creation, in one save; --return prints fields instead of the id")
  func intoAndReturn() throws {
    let outcome = try tool.run(
      "insert", "Employee", "--into", "Employee/p1.reports", "--return", "name,manager.name", "--ndjson",
      "name=Eve", "--trace", "saves")
    #expect(outcome.output == "{\"id\":\"Employee/p4\",\"name\":\"Eve\",\"manager.name\":\"Grace\"}\n")
    #expect(outcome.errors.components(separatedBy: "trace: save ").count == 2, "\(outcome.errors)")
  }

  @Test("OBJ-508: failures of validation come together, and nothing is written")
  func validation() throws {
    let outcome = try tool.run("insert", "Employee", "salary=-5", "email=nobody")
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains("[multiple-validation-errors]"))
    #expect(outcome.errors.contains("salary: -5 is less than the minimum 0   [validation]"))
    #expect(outcome.errors.contains("email"))
    #expect(try tool.run("count", "Employee").output == "3\n")
  }

  @Test("DGN-204: numbers beyond the width of their attribute are refused, as is text for a number")
  func range() throws {
    let wide = try tool.run("update", "Employee/p1", "badge=2147483648")
    #expect(wide.code == 65)
    #expect(wide.errors.contains("[value-out-of-range]"))
    let text = try tool.run("update", "Employee/p1", "badge=12k")
    #expect(text.code == 65)
    #expect(text.errors.contains("[value-type]"))
  }

  @Test("update changes ids or what --where selects; += adds, exactly for decimals")
  func update() throws {
    #expect(try tool.run("update", "Employee/p2", "salary+=0.10").code == 0)
    #expect(try line("Employee/p2", "salary").contains("\"72000.6\""))
    #expect(try tool.run("update", "Employee", "--where", "salary > 70000", "badge+=10").code == 0)
    #expect(
      try tool.run("fetch", "Employee", "--sort", "badge", "--fields", "badge", "-f", "csv", "--no-header")
        .output
        == "3\n11\n12\n")
  }

  @Test("update without a selection is refused; --all needs --yes off a terminal; --max bounds it")
  func updateConsent() throws {
    #expect(try tool.run("update", "Employee", "salary=1").code == 64)
    #expect(try tool.run("update", "Employee/p1").code == 64)
    let all = try tool.run("update", "Employee", "--all", "salary=1")
    #expect(all.code == 4)
    #expect(all.errors.contains("--yes"))
    let many = try tool.run("update", "Employee", "--all", "--yes", "--max", "2", "salary=1")
    #expect(many.code == 4)
    #expect(many.errors.contains("[too-many]"))
    #expect(try tool.run("update", "Employee", "--all", "--yes", "salary=1").code == 0)
    #expect(try tool.run("count", "Employee", "-w", "salary == 1").output == "3\n")
  }

  @Test("A clash with a uniqueness constraint exits 65 and names the other object")
  func uniqueness() throws {
    let outcome = try tool.run("insert", "Employee", "name=Eve", "badge=1")
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains("[constraint-conflict]"))
    #expect(outcome.errors.contains("Employee/p1"))
  }

  @Test("upsert finds by the uniqueness constraint or by --key, and makes what is not there")
  func upsert() throws {
    #expect(try tool.run("upsert", "Employee", "badge=2", "name=Adele").output == "Employee/p2\n")
    #expect(try line("Employee/p2", "name,badge").contains("\"Adele\",\"badge\":2"))
    #expect(try tool.run("upsert", "Employee", "badge=9", "name=Nine").output == "Employee/p4\n")
    #expect(try tool.run("upsert", "Project", "--key", "title", "title=Compiler").output == "Project/p1\n")
    let none = try tool.run("upsert", "Employee", "name=Eve")
    #expect(none.code == 64)
    #expect(none.errors.contains("[key-missing]"))
  }

  @Test("upsert refuses a --key that names nothing, and changes no object", arguments: ["", ","])
  func upsertWithoutKey(_ key: String) throws {
    let outcome = try tool.run("upsert", "Project", "--key", key, "title=Taken")
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("[key-missing]"))
    #expect(try line("Project/p1", "title").contains("Compiler"))
  }

  @Test("upsert takes records; one that names an object of an earlier line means that one")
  func upsertRecords() throws {
    let records = """
      {"badge": 2, "name": "Adele"}
      {"badge": 9, "name": "Nine"}
      {"badge": 9, "salary": 1}

      """
    let outcome = try tool.run("upsert", "Employee", "-", input: records)
    #expect(outcome.output == "Employee/p2\nEmployee/p4\nEmployee/p4\n")
    #expect(try line("Employee/p4", "name,salary").contains(#""name":"Nine","salary":"1""#))
  }

  @Test("REL-402: link and unlink keep the other end; a to-one is cleared without ids")
  func links() throws {
    #expect(try tool.run("link", "Project/p1.members", "Employee/p3").code == 0)
    #expect(try line("Employee/p3", "projects").contains("[\"Project/p1\"]"))
    #expect(try line("Project/p1", "members").contains(#"["Employee/p2","Employee/p1","Employee/p3"]"#))
    #expect(try tool.run("unlink", "Project/p1.members", "Employee/p2").code == 0)
    #expect(try line("Employee/p2", "projects").contains("[]"))
    #expect(try tool.run("unlink", "Employee/p2.manager").code == 0)
    #expect(try line("Employee/p1", "reports").contains(#"["Employee/p3"]"#))
    #expect(try tool.run("link", "Employee/p2.manager", "Employee/p1", "Employee/p3").code == 65)
    #expect(try tool.run("link", "Employee/p2.name", "Employee/p1").code == 64)
    #expect(try tool.run("link", "Employee/p2.manager", "Employee/p99").code == 66)
    #expect(try tool.run("link", "Employee/p2.manager", "Project/p1").code == 65)
  }

  @Test("PAT-192, REL-402: unlink takes out, unlink --delete deletes")
  func unlinkDelete() throws {
    #expect(try tool.run("unlink", "Project/p1.members", "Employee/p2", "--delete").code == 0)
    #expect(try tool.run("get", "Employee/p2").code == 2)
    #expect(try line("Project/p1", "members").contains(#"["Employee/p1"]"#))
  }

  @Test("--dry-run checks everything, constraints of the store included, and writes nothing")
  func dryRun() throws {
    let good = try tool.run("insert", "Employee", "--dry-run", "name=Eve")
    #expect(good.code == 0)
    #expect(good.output == "would insert 1 Employee; nothing written\n")
    #expect(try tool.run("insert", "Employee", "-n", "name=Eve", "badge=1").code == 65)
    #expect(
      try tool.run("update", "Employee", "--dry-run", "--where", "badge > 1", "salary=1").output
        == "would update 2 Employee; nothing written\n")
    #expect(try tool.run("count", "Employee", "-w", "salary == 1").output == "0\n")
    #expect(try tool.run("count", "Employee").output == "3\n")
  }

  @Test("upsert --dry-run says what would be inserted and what updated")
  func upsertDryRun() throws {
    #expect(
      try tool.run("upsert", "Employee", "-n", "badge=2", "name=X").output
        == "would update 1 Employee; nothing written\n")
    #expect(
      try tool.run("upsert", "Employee", "-n", "badge=9", "name=X").output
        == "would insert 1 Employee; nothing written\n")
    let records = "{\"badge\":2,\"name\":\"X\"}\n{\"badge\":9,\"name\":\"Y\"}\n{\"badge\":9,\"name\":\"Z\"}\n"
    #expect(
      try tool.run("upsert", "Employee", "-", "-n", input: records).output
        == "would insert 1 and update 1 Employee; nothing written\n")
  }

  @Test("A conflict among records names their lines, not identifiers that nothing has been given")
  func conflictLines() throws {
    let twins = try tool.run(
      "insert", "Employee", "-", input: "{\"badge\":7,\"name\":\"X\"}\n\n{\"badge\":7,\"name\":\"Y\"}\n")
    #expect(twins.code == 65)
    #expect(twins.errors.hasPrefix("<stdin>:3: error: Employee: there is another object with badge 7"))
    #expect(twins.errors.contains("  line 1 has it\n"))
    let stored = try tool.run(
      "insert", "Employee", "-", input: "{\"name\":\"X\"}\n{\"badge\":1,\"name\":\"Y\"}\n")
    #expect(stored.errors.hasPrefix("<stdin>:2: error:"))
    #expect(stored.errors.contains("  Employee/p1 has it\n"))
    let invalid = try tool.run(
      "insert", "Employee", "-", input: "{\"name\":\"X\"}\n{\"name\":\"Y\",\"salary\":-1}\n")
    #expect(invalid.code == 65)
    #expect(invalid.errors.hasPrefix("<stdin>:2: error: "), "\(invalid.errors)")
    let nested = try tool.run(
      "insert", "Project", "title=T", #"members:=[{"name":"A","badge":8},{"name":"B","badge":8}]"#)
    #expect(nested.code == 65)
    #expect(nested.errors.contains("another new Employee has it"))
    #expect(try tool.run("count", "Employee").output == "3\n")
  }

  @Test("Attributes whose values are not kept refuse one, as import does")
  func transient() throws {
    let model = """
      {"entities":[{"name":"Thing","attributes":[{"name":"k","type":"int64","optional":true},
      {"name":"tmp","type":"string","transient":true,"optional":true}]}]}
      """
    try tool.write(model, to: "thing.json")
    #expect(try tool.run("init", "thing.db", "--model", "thing.json").code == 0)
    for arguments in [
      ["insert", "Thing", "k=1", "tmp=x"], ["upsert", "Thing", "--key", "k", "k=1", "tmp=x"],
      ["insert", "Thing", "tmp:=null"],
    ] {
      let outcome = try tool.run(
        CommandLineTool.executable.path, arguments + ["-s", "thing.db"], input: nil)
      #expect(outcome.code == 64)
      #expect(outcome.errors.contains("Thing.tmp is not stored and cannot be set   [read-only-property]"))
    }
    let record = try tool.run("insert", "Thing", "-", "-s", "thing.db", input: "{\"tmp\":\"x\"}\n")
    #expect(record.code == 65)
    #expect(record.errors.hasPrefix("<stdin>:1: error: Thing.tmp is not stored"))
    #expect(try tool.run("count", "Thing", "-s", "thing.db").output == "0\n")
  }

  @Test("A file that is not there: the text that begins with @ is told")
  func atSign() throws {
    let outcome = try tool.run("insert", "Employee", "name=@ada")
    #expect(outcome.code == 66)
    #expect(outcome.errors.contains(#"name:='"@ada"'"#))
    #expect(try tool.run("insert", "Employee", #"name:="@ada""#).code == 0)
    #expect(try line("Employee/p4", "name").contains("@ada"))
  }
}
