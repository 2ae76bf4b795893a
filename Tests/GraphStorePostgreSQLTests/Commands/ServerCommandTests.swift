#if PostgreSQL
import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStore
@testable import GraphStorePostgreSQL

/// The built command with a store in a schema of its own, through `graphstore`, which hands over.
@Suite("Stores on a server, through the command", .enabled(if: TestStores.areThere))
struct ServerCommandTests {
  private let tool: ServerTool

  init() throws { tool = try ServerTool() }

  private var address: String { tool.address }

  @Test("STO-362: the commands of a store do the same at an address as at a path")
  func commands() throws {
    try tool.makeCompany()
    try #require(try tool.run("init", "file.db", "--model", tool.model).code == 0)
    try #require(try tool.run("import", "--all", tool.records, "--store", "file.db").code == 0)
    let lines = [
      "count Employee", "fetch Employee --sort name --fields name,salary,department.name,birthday",
      "fetch Employee --where 'salary > 75000 AND ANY reports.salary > 50000' -f ndjson --sort name",
      "fetch Employee --group-by department.name --aggregate 'count, sum:salary as total' --sort -total",
      "get Employee/p1 --depth 1 --json", "export Employee --sort badge -f ndjson", "explain Project --json",
      "count Person --where 'name CONTAINS[cd] \"A\"'",
      "insert Department name=Research --return name --no-id",
      "update Employee salary+=10 --where 'badge == 1'",
      "upsert Department name=Research --key name --return name --no-id",
      "link Project/p1.members Employee/p5", "unlink Project/p1.members Employee/p5",
      "delete Department --where 'name == \"Research\"'", "insert Employee salary=100", "delete Employee/p1",
      "update Employee/p1 badge=2", "fetch Employee --sort badge -f csv", "metadata set owner=Ada",
      "metadata get owner", "dump", "model show", "predicate check Employee 'salary > 1'",
    ]
    for line in lines {
      let onServer = try tool.shell("graphstore \(line) --store '\(address)'")
      let inFile = try tool.shell("graphstore \(line) --store file.db")
      #expect(onServer.code == inFile.code, "\(line): \(onServer.errors) \(inFile.errors)")
      guard !line.hasPrefix("explain"), !line.hasPrefix("dump") else { continue }
      #expect(onServer.output == inFile.output, "\(line)")
    }
    let difference = try tool.run("diff", "file.db", address, "--exit-code")
    #expect(difference.code == 0, "\(difference)")
  }

  @Test("STO-362: of several records that claim a member the last one gets it, at an address as at a path")
  func claims() throws {
    try tool.write(
      """
      {"name":"M","entities":[{"name":"I"},{"name":"O","relationships":[
        {"name":"items","destination":"I","toMany":true}]},{"name":"P","parent":"O"}]}
      """, to: "claims.json")
    try tool.write(
      """
      {"entity":"P","id":"o1","items":["i1","i2"]}
      {"entity":"O","id":"o2","items":["i1","i2"]}
      {"entity":"I","id":"i1"}
      {"entity":"I","id":"i2"}
      {"entity":"P","id":"o3","items":["i1"]}

      """, to: "claims.ndjson")
    for store in ["file.db", address] {
      try #require(try tool.run("init", store, "--model", "claims.json").code == 0)
      let imported = try tool.run("import", "--all", "claims.ndjson", "--store", store)
      #expect(imported.code == 0, "\(imported)")
    }
    let difference = try tool.run("diff", "file.db", address, "--exit-code")
    #expect(difference.code == 0, "\(difference)")
    try #require(try tool.run("backup", tool.address(1), "--store", "file.db").code == 0)
    for store in ["file.db", tool.address(1)] {
      try #require(try tool.run("import", "--all", "claims.ndjson", "--store", store).code == 0)
    }
    let second = try tool.run("diff", "file.db", tool.address(1), "--exit-code")
    #expect(second.code == 0, "\(second)")
  }

  @Test("STO-360: what the command tells of a store has no password")
  func passwords() throws {
    try tool.makeCompany()
    let given = address.replacing("postgresql://graphstore@", with: "postgresql://graphstore:geheim@")
    tool.environment["GRAPHSTORE_STORE"] = given
    for line in [
      "info", "doctor", "count Employee", "count Employee --trace fetches,saves --sql-log 4 --verbose",
      "count Nobody",
      "metadata list --all", "stats", "check", "compact", "history", "diff '\(given)' '\(given)'",
      "init --model '\(tool.model)'",
      "init '\(given)' --model '\(tool.model)'", "model show '\(given)'", "backup '\(given)'",
      "count --store '\(given)'",
      "migrate status --to '\(tool.model)'", "dump",
      "fetch Employee --store a='\(given)' --store b='\(given)'",
    ] {
      let outcome = try tool.shell("graphstore \(line)")
      #expect(!outcome.output.contains("geheim") && !outcome.errors.contains("geheim"), "\(line): \(outcome)")
    }
  }

  @Test("STO-361: what works on files says that it does not work on a server, and makes no file")
  func files() throws {
    try tool.makeCompany()
    try tool.write("", to: "empty.dump")
    try #require(try tool.run("init", "file.db", "--model", tool.model).code == 0)
    for (line, code) in [
      ("stats --analyze", 64), ("check --repair --clear Employee.salary --yes", 64),
      ("backup copy.db --one-file", 64), ("count Employee --sql-log 1", 64),
      ("compact", 64), ("diff '\(address)' --without-log", 64),
    ] as [(String, Int32)] {
      let outcome = try tool.shell("graphstore \(line) --store '\(address)'")
      #expect(outcome.code == code, "\(line): \(outcome)")
      #expect(
        ["[not-supported]", "[request-unsupported]", "[usage]"].contains { outcome.errors.contains($0) },
        "\(line): \(outcome)")
    }
    #expect(!FileManager.default.fileExists(atPath: tool.folder.appendingPathComponent("postgresql:").path))
  }

  /// Runs lines of the system's shell, of which `A`, `B` and `C` are addresses, and each of which has to end
  /// with a code.
  private func expect(_ lines: [(line: String, code: Int32)]) throws {
    for (line, code) in lines {
      let words = line.split(separator: " ").map { word in
        ["A": 0, "B": 1, "C": 2][String(word)].map { "'\(tool.address($0))'" } ?? String(word)
      }
      let outcome = try tool.shell("graphstore " + words.joined(separator: " "))
      #expect(outcome.code == code, "\(line): \(outcome)")
    }
  }

  @Test("STO-410: dumps and backups move a store from a server to files and back, and diff finds nothing")
  func moving() throws {
    try tool.makeCompany()
    try expect([
      ("dump a.dump --store A", 0), ("load a.dump --store B", 0), ("diff A B --exit-code", 0),
      ("dump b.dump --store B", 0), ("load a.dump --store B", 73), ("load a.dump --store file.db", 0),
      ("diff file.db A --exit-code", 0), ("backup C --store file.db", 0), ("diff C A --exit-code", 0),
      ("backup copy.db --store A", 0), ("diff copy.db A --exit-code", 0),
      ("backup copy.json --type json --store A", 0), ("diff copy.json B --exit-code", 0),
      ("backup A --store B", 73),
    ])
    let dumps = try ["a.dump", "b.dump"].map {
      try Data(contentsOf: tool.folder.appendingPathComponent($0))
    }
    #expect(dumps[0] == dumps[1])
    let cut = try tool.shell(
      "grep -v '\"Department/' a.dump | graphstore load - --pruned --store '\(tool.address(3))'")
    #expect(cut.code == 0 && cut.errors.contains("[dangling-link]"), "\(cut)")
  }

  @Test("STO-411: restore puts a backup in the place of a store on a server, which is kept")
  func restoring() throws {
    try tool.makeCompany()
    try expect([
      ("backup hr.db --store A", 0), ("delete Project/p1 --store A", 0),
      ("restore hr.db --store A", 4), ("restore hr.db --yes --store A", 0), ("diff hr.db A --exit-code", 0),
      ("restore nothing.db --yes --store A", 66), ("restore hr.db --yes --store B", 0),
      ("diff A B --exit-code", 0), ("restore A --yes --store hr.db", 0),
    ])
    let kept = tool.address.replacing(#/schema=([^&]*)/#) { "schema=\($0.1)_backup" }
    #expect(try tool.run("count", "Project", "--store", kept).output == "2\n")
    try PostgreSQLRemoval.remove(kept)
  }

  @Test("STO-414, STO-415, STO-416: check, check --repair and stats work at an address as at a path")
  func care() throws {
    try tool.makeCompany()
    try expect([
      ("check --store A", 0), ("check --quick --json --store A", 0), ("stats Employee --store A", 0),
    ])
    try tool.damage(
      "UPDATE person SET object_version = -1; UPDATE project SET object_id = 900 WHERE object_id = 1")
    let check = try tool.run("check", "--store", address)
    #expect(check.code == 2 && check.output.contains("Person"), "\(check)")
    try expect([
      ("check --repair --dry-run --store A", 2), ("check --store A", 2), ("check --repair --store A", 4),
    ])
    let repair = try tool.run("check", "--repair", "--yes", "--store", address)
    #expect(repair.code == 0 && repair.output.contains("_backup"), "\(repair)")
    try expect([("check --store A", 0), ("dump all.dump --store A", 0)])
    try PostgreSQLRemoval.remove(tool.address.replacing(#/schema=([^&]*)/#) { "schema=\($0.1)_backup" })
  }

  @Test(
    "STO-363: a store is made by init, and by an import with --create, which leaves none behind where it fails"
  )
  func making() throws {
    let absent = try tool.run("count", "Employee", "--store", address)
    #expect(absent.code == 66 && absent.errors.contains("[store-not-found]"), "\(absent)")
    #expect(try tool.run("init", address, "--model", tool.model, "--type", "json").code == 65)
    let rehearsal = try tool.run(
      "import", "--all", tool.records, "--create", "--dry-run", "--model", tool.model, "--store", address)
    #expect(rehearsal.code == 64, "\(rehearsal)")
    try tool.write(#"{"entity":"Employee","salary":1}"# + "\n", to: "wrong.ndjson")
    let failing = try tool.run(
      "import", "--all", "wrong.ndjson", "--create", "--model", tool.model, "--store", address)
    #expect(failing.code == 65, "\(failing)")
    #expect(try tool.run("count", "Employee", "--store", address).code == 66)
    let made = try tool.run(
      "import", "--all", tool.records, "--create", "--model", tool.model, "--store", address)
    #expect(made.code == 0, "\(made)")
    #expect(try tool.run("count", "Employee", "--store", address).output == "9\n")
    let again = try tool.run("init", address, "--model", tool.model)
    #expect(again.code == 73 && again.errors.contains("[store-exists]"), "\(again)")
  }

  @Test("STO-364: changes of several programs to one object are made one after the other, and none is lost")
  func contention() throws {
    try tool.makeCompany()
    let programs = try (1...4).map { program in
      try tool.start(
        """
        for round in 1 2 3 4 5; do
          graphstore update Employee/p1 salary+=1 --timeout 30 --store '\(address)' || exit 1
          graphstore upsert Department name=New$round --key name --store '\(address)' >new.\(program) || exit 2
        done
        """)
    }
    for program in programs {
      program.waitUntilExit()
      #expect(program.terminationStatus == 0)
    }
    let salary = try tool.run("get", "Employee/p1", "--fields", "salary", "--store", address)
    #expect(salary.output == "salary  98020\n", "\(salary)")
    #expect(try tool.run("count", "Department", "--store", address).output == "8\n")
  }

  @Test("CTX-439, CTX-440, CTX-441: the history of a store on a server says who has changed what")
  func history() throws {
    try tool.makeCompany()
    func run(_ line: String) throws -> ServerTool.Outcome {
      try tool.shell("graphstore \(line) --store '\(address)'")
    }
    let none = try run("history")
    #expect(none.code != 0 && none.errors.contains("[history-not-tracked]"), "\(none)")
    #expect(try run("history enable").code == 0)
    #expect(try run("update Employee/p1 salary+=1 --author ann").code == 0)
    let first = try run("history --format csv --quiet")
    #expect(first.code == 0 && first.output.contains("ann"), "\(first)")
    let listed = try run("history --ndjson")
    let token = try #require(listed.output.split(separator: "\n").last)
    #expect(token.contains("token"), "\(listed)")
    #expect(try run("delete Employee/p3").code == 0)
    let changes = try run("history --object Employee/p3 --ndjson")
    #expect(changes.output.contains("delete") && !changes.output.contains("Employee/p1"), "\(changes)")
    #expect(try run("history consumers --add mirror").code == 0)
    #expect(try run("history purge --before 2100-01-01 --yes").code == 0)
    #expect(try run("info").output.contains("history"))
    #expect(try run("history disable --yes").code == 0)
    #expect(try run("history").errors.contains("[history-not-tracked]"))
  }

  @Test("STO-422, CTX-442: programs hear of each other's commits, and read what they had read before anew")
  func severalPrograms() throws {
    try tool.makeCompany()
    #expect(try tool.run("history", "enable", "--store", address).code == 0)
    let lines = [
      "graphstore watch Employee --fields salary --sort salary --count 2 --for 60 --ndjson",
      "graphstore history --follow --ndjson --where 'changeType == \"update\"' | head -n 1",
    ]
    let watchers = try lines.enumerated().map { number, line in
      let words = line.replacing("--ndjson", with: "--ndjson --store '\(address)'")
      return try tool.start("\(words) >watched.\(number)")
    }
    // One that has its objects in memory, and is given its statements while the other writes.
    let (input, output) = (Pipe(), Pipe())
    let session = try tool.start(
      "exec graphstore run - --no-transaction --store '\(address)'", input: input, output: output)
    func ask(_ statement: String) throws -> String {
      input.fileHandleForWriting.write(Data("\(statement)\n".utf8))
      return String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    }
    let salary = "get Employee/p1 --fields salary"
    let before = try ask(salary)
    let deadline = ContinuousClock.now + .seconds(20)
    while try tool.listeners() < 2, .now < deadline { Thread.sleep(forTimeInterval: 0.01) }
    #expect(try tool.run("update", "Employee/p1", "salary=1", "--store", address).code == 0)
    let after = try ask(salary)
    #expect(before.contains("salary") && after == "salary  1\n" && after != before, "\(before) \(after)")
    // What it has read anew is no conflict.
    input.fileHandleForWriting.write(Data("update Employee/p1 salary+=1\n".utf8))
    try input.fileHandleForWriting.close()
    session.waitUntilExit()
    #expect(session.terminationStatus == 0)
    let own = try tool.run("get", "Employee/p1", "--fields", "salary", "--store", address)
    #expect(own.output == "salary  2\n", "\(own)")
    #expect(try tool.run("update", "Employee/p2", "salary=2", "--store", address).code == 0)
    for watcher in watchers { watcher.waitUntilExit() }
    let watched = try (0...1).map { try tool.read("watched.\($0)") }
    #expect(watched[0].contains(#""id":"Employee/p1""#), "\(watched)")
    #expect(watched[1].contains("Employee/p1") && watched[1].contains("salary"), "\(watched)")
  }

  @Test("A profile names a store on a server, and several stores are opened as one")
  func profiles() throws {
    try tool.makeCompany()
    try tool.write(
      #"{"store": "file.db", "profiles": {"prod": {"store": "\#(address)"}}}"#, to: ".graphstore.json")
    #expect(try tool.run("count", "Employee", "--profile", "prod").output == "9\n")
    try #require(try tool.run("init", "file.db", "--model", tool.model).code == 0)
    try #require(try tool.run("insert", "Department", "name=Files").code == 0)
    let both = try tool.run("count", "Department", "--store", "file.db", "--store", "server=\(address)")
    #expect(both.output == "4\n", "\(both)")
  }

  @Test("doctor finds nothing wrong with a store on a server, and says what it is")
  func doctor() throws {
    try tool.makeCompany()
    let doctor = try tool.run("doctor", "--store", address)
    #expect(doctor.code == 0 && doctor.output.contains("PostgreSQL"), "\(doctor)")
    let info = try tool.run("info", "--store", address)
    #expect(info.code == 0 && info.output.contains("postgresql"), "\(info)")
  }
}
#endif
