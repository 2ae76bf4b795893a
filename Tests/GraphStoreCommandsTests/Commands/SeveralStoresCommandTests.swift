import Foundation
import GraphStoreTestSupport
import Testing

@Suite("Commands on several stores")
struct SeveralStoresCommandTests {
  private let tool: CommandLineTool
  private static let company = Repository.root.appendingPathComponent("Models/company.json").path
  private static let both = ["--store", "hr=hr.db", "--store", "archive=archive.db"]

  /// Two stores of the company; the ids in the second are those of objects in the first too.
  init() throws {
    tool = try CommandLineTool.staffedCompany()
    try #require(try tool.run("init", "archive.db", "--model", Self.company).code == 0)
    let script = """
      insert Department name=Old
      insert Department name=Sales
      insert Employee name=Zoe salary=60000 badge=90 department=Department/p1
      insert Employee name=Abe salary=90000 badge=91
      """
    try #require(try tool.run("run", "-", "-s", "archive.db", input: script).code == 0)
  }

  private func run(_ words: String...) throws -> CommandLineTool.Outcome {
    try tool.run(CommandLineTool.executable.path, words + Self.both, input: nil)
  }

  /// A store of another model, without any entity of the company's.
  private func makeShop() throws {
    try tool.write(
      """
      {"name": "Shop", "entities": [
        {"name": "Customer", "attributes": [{"name": "name", "type": "string"}],
         "relationships": [{"name": "city", "destination": "City", "inverse": "customers"}]},
        {"name": "City", "attributes": [{"name": "name", "type": "string"}],
         "relationships": [
           {"name": "customers", "destination": "Customer", "inverse": "city", "toMany": true}]}],
       "fetchRequests": [{"name": "wellPaid", "entity": "Customer", "predicate": "name != nil"}]}
      """, to: "shop.json")
    try #require(try tool.run("init", "shop.db", "--model", "shop.json").code == 0)
    let made = try tool.run("insert", "Customer", "name=Carl", #"city:={"name":"Rome"}"#, "-s", "shop.db")
    try #require(made.code == 0, "\(made.errors)")
  }

  // MARK: Reading

  @Test("STO-136, FET-048: a fetch merges the stores, and ids name theirs")
  func fetch() throws {
    let sorted = try run("fetch", "Employee", "--sort", "name", "--fields", "id,name,department", "-f", "csv")
    #expect(
      sorted.lines == [
        "id,name,department", "archive:Employee/p2,Abe,", "hr:Employee/p2,Ada,hr:Department/p1",
        "hr:Employee/p3,Bob,hr:Department/p2", "hr:Employee/p1,Grace,hr:Department/p1",
        "archive:Employee/p1,Zoe,archive:Department/p1",
      ], "\(sorted.errors)")
    let window = try run(
      "fetch", "Employee", "--sort", "-salary", "--limit", "2", "--offset", "1", "-f", "ids")
    #expect(window.lines == ["hr:Employee/p1", "hr:Employee/p2"])
    let unsorted = try run("fetch", "Employee", "-f", "ids", "--where", "salary > 70000")
    #expect(unsorted.lines == ["hr:Employee/p1", "hr:Employee/p2", "archive:Employee/p2"])
    let lists = try run("fetch", "Department", "--sort", "-name", "--fields", "employees", "--ndjson")
    #expect(
      lists.lines == [
        #"{"id":"hr:Department/p2","employees":["hr:Employee/p3"]}"#,
        #"{"id":"archive:Department/p2","employees":[]}"#,
        #"{"id":"archive:Department/p1","employees":["archive:Employee/p1"]}"#,
        #"{"id":"hr:Department/p1","employees":["hr:Employee/p1","hr:Employee/p2"]}"#,
      ])
    let summed = try run("fetch", "Employee", "--where", "department.name == 'Sales'", "-f", "ids")
    #expect(summed.lines == ["hr:Employee/p3"])
  }

  @Test("STO-136: count counts in all stores, and its window cuts the sum")
  func count() throws {
    #expect(try run("count", "Employee").output == "5\n")
    #expect(try run("count", "Employee", "--where", "salary > 70000").output == "3\n")
    #expect(try run("count", "Employee", "--limit", "4", "--offset", "2").output == "3\n")
    #expect(try run("count", "Employee", "--where", "name MATCHES 'A.*'").output == "2\n")
  }

  @Test("STO-136: an id with its store's name is taken, in predicates too; one without has to be clear")
  func ids() throws {
    let got = try run("get", "archive:Employee/p1", "hr:Employee/p1", "--fields", "name", "-f", "csv")
    #expect(got.lines == ["name", "Zoe", "Grace"], "\(got.errors)")
    let members = try run(
      "fetch", "Employee", "--where", "department == 'archive:Department/p1'", "-f", "ids")
    #expect(members.lines == ["archive:Employee/p1"], "\(members.errors)")
    let missing = try run("get", "archive:Employee/p77")
    #expect(missing.code == 2 && missing.errors.contains("there is no archive:Employee/p77"))
    let unclear = try run("get", "Employee/p1")
    #expect(unclear.code == 64 && unclear.errors.contains("[ambiguous-id]"), "\(unclear.errors)")
    #expect(unclear.errors.contains("write hr:Employee/p1 or archive:Employee/p1"))
    let stranger = try run("get", "archives:Employee/p1")
    #expect(stranger.code == 64 && stranger.errors.contains("[unknown-store]"), "\(stranger.errors)")
    #expect(stranger.errors.contains("did you mean \"archive\"?"))
    #expect(try run("get", "archive:Emploee/p1").errors.contains("did you mean \"Employee\"?"))
    let uri = try tool.run("info", "--ndjson", "-s", "archive.db").output.firstMatch(of: #/"uuid":"([^"]*)"/#)
    let text = "x-coredata://\(try #require(uri).output.1)/Employee/p1"
    #expect(try run("get", text, "--fields", "name", "-f", "csv").lines == ["name", "Zoe"])
  }

  @Test("DGN-080: explain has a block of each store under its name, and the merge")
  func explain() throws {
    let lines = try run("explain", "Employee", "--where", "salary > 70000", "--sort", "name").lines
    #expect(lines.contains("sql         hr") && lines.contains("sql         archive"), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("merge       in memory") })
  }

  @Test("STO-136: what export writes of several stores names each record's own")
  func export() throws {
    let outcome = try run("export", "Employee", "--fields", "name,manager", "--where", "salary < 70000")
    #expect(
      outcome.lines == [
        #"{"id":"hr:Employee/p3","name":"Bob","manager":"hr:Employee/p1"}"#,
        #"{"id":"archive:Employee/p1","name":"Zoe","manager":null}"#,
      ], "\(outcome.errors)")
    let all = try run("export", "--all", "-o", "all.ndjson")
    #expect(all.code == 0, "\(all.errors)")
    #expect(try tool.run("init", "copy.db", "--model", Self.company).code == 0)
    #expect(try tool.run("import", "--all", "all.ndjson", "-q", "-s", "copy.db").code == 65)
    // The name of a department is unique within each store, not in both.
    #expect(try run("update", "archive:Department/p2", "name=Trade").code == 0)
    #expect(try run("export", "--all", "-o", "all.ndjson", "--yes").code == 0)
    let copied = try tool.run("import", "--all", "all.ndjson", "-q", "-s", "copy.db")
    #expect(copied.code == 0, "\(copied.errors)")
    let members = try tool.run(
      "fetch", "Project", "--fields", "members.name", "--ndjson", "-s", "copy.db")
    #expect(members.lines == [#"{"id":"Project/p1","members.name":["Ada","Grace"]}"#])
  }

  @Test("check and info tell of each store under its name")
  func reports() throws {
    let check = try run("check")
    #expect(check.code == 0)
    #expect(check.lines.filter { !$0.hasPrefix(" ") } == ["hr  hr.db", "archive  archive.db"])
    try tool.damage("UPDATE ZPERSON SET ZDEPARTMENT = 77 WHERE Z_PK = 2")
    let damaged = try run("check", "--json")
    #expect(damaged.code == 2)
    #expect(
      damaged.output.hasPrefix(#"{"ok":false,"stores":[{"store":"hr","path":"hr.db","ok":false,"checks":["#))
    #expect(damaged.output.contains(#"{"store":"archive","path":"archive.db","ok":true,"checks":["#))
    let info = try run("info", "--ndjson").lines
    #expect(info.count == 2)
    #expect(info.map { $0.contains("\"objects.Employee\":3") } == [true, false])
    #expect(info.map { $0.contains("\"objects.Employee\":2") } == [false, true])
    #expect(info[1].hasPrefix("{\"store\":\"archive\",\"path\":\""))
    #expect(try run("info", "-f", "csv").lines.count == 3)
  }

  // MARK: Writing

  @Test("STO-146, STO-139: --into-store assigns; else an object goes where those are that it is related to")
  func insert() throws {
    #expect(
      try run("insert", "Employee", "name=Eve", "--into-store", "archive").output == "archive:Employee/p3\n")
    #expect(try run("insert", "Employee", "name=Ivy").output == "hr:Employee/p4\n")
    let related = try run("insert", "Employee", "name=Jo", "department=archive:Department/p1")
    #expect(related.output == "archive:Employee/p4\n", "\(related.errors)")
    // Both stores have such a department.
    let found = try run(
      "insert", "Employee", "name=Kim", "department?=name == 'Sales'", "--into-store", "archive", "--return",
      "name,department", "-f", "csv")
    #expect(found.lines == ["name,department", "Kim,archive:Department/p2"], "\(found.errors)")
    let several = try run("insert", "Employee", "name=Lu", "department?=name == 'Sales'")
    #expect(several.code == 65 && several.errors.contains("[not-unique]"))
    let nested = try run(
      "insert", "Employee", #"department:={"name":"New"}"#, "name=Max", "--into-store", "archive")
    #expect(nested.code == 0, "\(nested.errors)")
    #expect(try tool.run("count", "Employee", "-s", "archive.db").output == "6\n")
    #expect(try tool.run("count", "Department", "-w", "name == 'New'", "-s", "archive.db").output == "1\n")
    #expect(try tool.run("count", "Employee", "-s", "hr.db").output == "4\n")
    let stranger = try run("insert", "Employee", "name=Ned", "--into-store", "archiv")
    #expect(
      stranger.code == 64 && stranger.errors.contains("did you mean \"archive\"?"), "\(stranger.errors)")
    #expect(try tool.run("insert", "Employee", "name=Ned", "--into-store", "hr").code == 64)
  }

  @Test("STO-133: a relationship does not lead into another store; nothing is written")
  func crossing() throws {
    for words in [
      ["insert", "Employee", "name=X", "department=hr:Department/p1", "--into-store", "archive"],
      ["link", "hr:Project/p1.members", "archive:Employee/p1"],
      ["update", "archive:Employee/p1", "manager=hr:Employee/p1"],
    ] {
      let outcome = try tool.run(CommandLineTool.executable.path, words + Self.both, input: nil)
      #expect(
        outcome.code == 65 && outcome.errors.contains("[cross-store-relationship]"), "\(outcome.errors)")
    }
    #expect(try run("count", "Employee").output == "5\n")
  }

  @Test("STO-136: update, upsert, delete, link and unlink change objects where they are")
  func change() throws {
    #expect(try run("update", "archive:Employee/p1", "salary=1").code == 0)
    #expect(try run("update", "Employee", "--where", "name BEGINSWITH 'A'", "salary=2").code == 0)
    #expect(
      try run("upsert", "Employee", "--key", "badge", "badge=91", "salary=3").output
        == "archive:Employee/p2\n")
    let link = try run(
      "link", "archive:Department/p2.employees", "archive:Employee/p1", "archive:Employee/p2")
    #expect(link.code == 0, "\(link.errors)")
    #expect(try run("unlink", "archive:Employee/p2.department").code == 0)
    #expect(try run("delete", "archive:Department/p1", "hr:Project/p1").code == 0)
    let left = try run(
      "fetch", "Employee", "--sort", "badge", "--fields", "id,salary,department", "-f", "csv")
    #expect(
      left.lines == [
        "id,salary,department", "hr:Employee/p1,81000,hr:Department/p1", "hr:Employee/p2,2,hr:Department/p1",
        "hr:Employee/p3,50000,hr:Department/p2", "archive:Employee/p1,1,archive:Department/p2",
        "archive:Employee/p2,3,",
      ], "\(left.errors)")
    #expect(try run("count", "Project").output == "0\n")
    let denied = try run("delete", "hr:Employee/p1")
    #expect(denied.code == 3 && denied.errors.contains("cannot delete hr:Employee/p1"), "\(denied.errors)")
    #expect(denied.errors.contains("hr:Employee/p2, hr:Employee/p3"))
    #expect(try run("check").code == 0)
  }

  @Test("A script is one transaction over all stores, and the shell works on all")
  func sessions() throws {
    let failing = try run(
      "run", "-c", "insert Employee name=A --into-store archive", "-c", "insert Employee name=B salary=-1")
    #expect(failing.code == 65)
    #expect(try run("count", "Employee").output == "5\n")
    let script = try run(
      "run", "-c", "insert Employee name=A --into-store archive", "-c", "insert Employee name=B", "-c",
      "fetch Employee where badge == nil --sort name -f ids", "-c", "get hr:Employee/p1 --fields name -f csv")
    #expect(
      script.lines == [
        "archive:Employee/p3", "hr:Employee/p4", "archive:Employee/p3", "hr:Employee/p4", "name", "Grace",
      ], "\(script.errors)")
    let pending = try run(
      "run", "-c", ".begin", "-c", "insert Employee name=C department=archive:Department/p1", "-c",
      "fetch Employee where name == 'C' --fields id,department -f csv", "-c", ".commit", "-c",
      "fetch Employee where name == 'C' --fields id,department -f csv")
    #expect(pending.code == 0, "\(pending.errors)")
    #expect(pending.output.contains(#/Employee\/t[0-9]+,archive:Department\/p1\n/#), "\(pending.output)")
    #expect(pending.lines.last == "archive:Employee/p4,archive:Department/p1")
    let other = try run("run", "-c", "count Employee --store hr.db")
    #expect(other.code == 65 && other.errors.contains("the session works on hr.db, archive.db, not on hr.db"))
    let terminal = try PseudoTerminal(
      CommandLineTool.executable.path,
      ["shell", "-X", "--history", "", "-s", "hr=\(tool.path("hr.db"))", "-s", tool.path("archive.db")],
      environment: [
        "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path, "NO_COLOR": "1",
      ])
    #expect(terminal.expect("hr+archive> "))
    terminal.send("get archive:Employee/p1 --fields name\n")
    #expect(terminal.expect("Zoe"))
    terminal.send(".quit\n")
    #expect(terminal.wait() == 0)
  }

  // MARK: Models

  @Test("STO-137: stores of disjoint entities are opened as one, and their ids need no names")
  func disjoint() throws {
    try makeShop()
    let carried = try tool.run("model", "from-store", "shop.db").output
    func run(_ words: String...) throws -> CommandLineTool.Outcome {
      try tool.run(
        CommandLineTool.executable.path, words + ["-s", "hr.db", "-s", "shop.db"], input: nil)
    }
    #expect(try run("fetch", "Employee", "--sort", "name", "-f", "ids").lines.first == "Employee/p2")
    #expect(
      try run("fetch", "Customer", "--fields", "name,city", "-f", "csv").lines == [
        "name,city", "Carl,City/p1",
      ])
    #expect(
      try run("get", "Customer/p1", "shop:Customer/p1", "--fields", "name", "-f", "csv").lines.count == 3)
    #expect(try run("insert", "Customer", "name=Dora").output == "Customer/p2\n")
    let refused = try run("insert", "Customer", "name=Eva", "--into-store", "hr")
    #expect(
      refused.code == 65 && refused.errors.contains("hr.db does not hold Customer"), "\(refused.errors)")
    let info = try run("info", "--ndjson").lines
    #expect(info.map { $0.contains("\"objects\":6,") } == [true, false], "\(info)")
    #expect(info.map { $0.contains("\"model\":\"Shop\"") } == [false, true])
    #expect(try run("check").code == 0)
    #expect(
      try run("fetch", "Employee", "--template", "wellPaid", "--var", "MIN=80000", "-f", "ids").lines == [
        "Employee/p1"
      ])
    // Each file still carries its own model.
    #expect(try tool.run("model", "from-store", "shop.db").output == carried)
    #expect(try tool.run("count", "Employee", "-s", "shop.db").code == 64)
    #expect(try tool.run("check", "-s", "shop.db").code == 0)
  }

  @Test("STO-137: two definitions of one entity clash, with names as without: 78, and the entity is named")
  func clash() throws {
    try tool.write(
      #"{"name": "Other", "entities": [{"name": "Employee", "attributes": [{"name": "name", "type": "string"}]}]}"#,
      to: "other.json")
    #expect(try tool.run("init", "other.db", "--model", "other.json").code == 0)
    for words in [["-s", "hr.db", "-s", "other.db"], ["--store", "a=hr.db", "--store", "b=other.db"]] {
      let outcome = try tool.run(
        CommandLineTool.executable.path, ["count", "Employee", "--error-format", "json"] + words, input: nil)
      #expect(outcome.code == 78, "\(outcome.errors)")
      #expect(outcome.errors.contains(#""code":"incompatible-model""#))
      #expect(outcome.errors.contains(#""entity":"Employee""#))
    }
  }

  @Test("STO-137: without names stores of one model go by the names of their files")
  func unnamed() throws {
    let ids = try tool.run("fetch", "Employee", "-f", "ids", "-s", "hr.db", "-s", "archive.db").lines
    #expect(ids.first == "hr:Employee/p1" && ids.last == "archive:Employee/p2")
    #expect(try tool.runShell("mkdir old && cp hr.db old/hr.db").code == 0)
    let named = try tool.run("count", "Employee", "-s", "hr.db", "-s", "old/hr.db")
    #expect(named.code == 64 && named.errors.contains("both called \"hr\""), "\(named.errors)")
    // A byte copy has the same UUID, so that its objects have the same URIs.
    let copy = try tool.run("count", "Employee", "-s", "hr.db", "-s", "old=old/hr.db")
    #expect(copy.code == 64 && copy.errors.contains("[store-already-open]"), "\(copy.errors)")
    #expect(try tool.run("count", "Employee", "-s", "hr.db", "-s", "again=hr.db").code == 64)
  }

  // MARK: One store

  @Test("One store is what it was: its ids need no name, and a file's name may have an equals sign")
  func one() throws {
    #expect(try tool.run("fetch", "Employee", "-f", "ids", "--store", "hr.db").lines.first == "Employee/p1")
    #expect(
      try tool.run("fetch", "Employee", "-f", "ids", "--store", "hr=hr.db").lines.first == "Employee/p1")
    #expect(
      try tool.run("get", "hr:Employee/p1", "--store", "hr=hr.db", "--fields", "name", "-f", "csv").lines.last
        == "Grace")
    #expect(try tool.run("get", "hr:Employee/p1").code == 64)
    #expect(try tool.runShell("cp hr.db a=b.db").code == 0)
    #expect(try tool.run("count", "Employee", "--store", "a=b.db").output == "3\n")
    #expect(try tool.run("init", "--store", "c=d.db", "--model", Self.company).code == 0)
    #expect(FileManager.default.fileExists(atPath: tool.path("c=d.db")))
  }

  @Test(
    "Commands for which several stores make no sense say so",
    arguments: [
      ["import", "Employee", "people.ndjson"], ["metadata", "list"], ["metadata", "set", "a=b"],
      ["model", "from-store"], ["model", "lint"], ["init", "--model", company],
    ])
  func refused(_ words: [String]) throws {
    let outcome = try tool.run(CommandLineTool.executable.path, words + Self.both, input: nil)
    #expect(outcome.code == 64, "\(outcome.errors)")
    #expect(
      outcome.errors.contains("works with one store, not with 2   [several-stores]"), "\(outcome.errors)")
  }
}
