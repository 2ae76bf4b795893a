import Foundation
import GraphStoreSQLite
import GraphStoreTestSupport
import Testing

@Suite("Damaged and interrupted stores on the command line")
struct DamagedStoreCommandTests {
  private let company = Repository.root.appendingPathComponent("Models/company.json").path

  @Test(
    "Text that is no UTF-8 is shown with U+FFFD in every format, and check tells it",
    arguments: ["json", "ndjson", "csv", "tsv", "line", "markdown", "table"])
  func malformedText(format: String) throws {
    let tool = try CommandLineTool.staffedCompany()
    try tool.sqlite("UPDATE ZPERSON SET ZNAME = CAST(x'61FF62E28263' AS TEXT) WHERE Z_PK = 1", "hr.db")
    let bytes = try tool.runShell("graphstore fetch Employee --fields name --format \(format) > out; cat out")
    #expect(bytes.code == 0)
    let data = try Data(contentsOf: tool.folder.appendingPathComponent("out"))
    let text = try #require(String(validating: data, as: UTF8.self))
    #expect(text.contains("a\u{FFFD}b\u{FFFD}c"))
    let check = try tool.run("check")
    #expect(check.code == 2 && check.output.contains("Person.name"))
  }

  @Test(
    "STO-280, DGN-106: a store of Core Data that no command opens is one that check fails",
    arguments: [
      "INSERT INTO Z_PRIMARYKEY VALUES (99999, 'Other', 0, 0)",
      "INSERT INTO Z_PRIMARYKEY VALUES (50, 'Other', 0, 0)",
      "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Volume' WHERE Z_NAME = 'Book'",
      "ALTER TABLE ZBOOK DROP COLUMN ZTITLE",
      "DROP TABLE ZSHELF",
      """
      ALTER TABLE ZBOOK RENAME TO old; CREATE TABLE ZBOOK (
        Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPAGES INTEGER, ZSHELF INTEGER, ZTITLE TIMESTAMP);
      INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZPAGES, ZSHELF, ZTITLE)
        SELECT Z_PK, Z_ENT, Z_OPT, ZPAGES, ZSHELF, ZTITLE FROM old; DROP TABLE old
      """,
    ])
  func foreign(_ damage: String) throws {
    let tool = try CommandLineTool.coreDataStandIn()
    #expect(try tool.run("check", "-s", "app.sqlite").code == 0)
    try tool.sqlite(damage, "app.sqlite")
    #expect(try tool.run("fetch", "Shelf", "-s", "app.sqlite").code == 78)
    let check = try tool.run("check", "-s", "app.sqlite")
    #expect(check.code == 2 && check.output.contains("FAIL"), "\(check)")
  }

  @Test("Entities of history are no damage in a store of Core Data")
  func history() throws {
    let tool = try CommandLineTool.coreDataStandIn()
    try tool.sqlite("INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0)", "app.sqlite")
    #expect(try tool.run("check", "-s", "app.sqlite").code == 0)
  }

  @Test("An export of text that is no UTF-8 is read back", arguments: ["csv", "tsv", "ndjson"])
  func exported(format: String) throws {
    let tool = try CommandLineTool.staffedCompany()
    try tool.sqlite("UPDATE ZDEPARTMENT SET ZNAME = CAST(x'61FF' AS TEXT) WHERE Z_PK = 1", "hr.db")
    #expect(try tool.run("export", "Department", "--format", format, "-o", "d.\(format)").code == 0)
    #expect(try tool.run("init", "new.db", "-m", company).code == 0)
    #expect(try tool.run("import", "Department", "d.\(format)", "-s", "new.db").code == 0)
  }

  @Test(
    "A change that was interrupted is taken back by whoever comes next, and told",
    arguments: ["fetch", "insert", "check"])
  func interrupted(command: String) throws {
    let tool = try CommandLineTool.staffedCompany()
    try tool.sqlite("PRAGMA journal_mode = DELETE", "hr.db")
    let writer = try SQLiteConnection(path: tool.path("hr.db"), mode: .readWrite)
    try writer.execute(
      "PRAGMA cache_size = 1; BEGIN; UPDATE ZPERSON SET ZNAME = 'half' || hex(zeroblob(3000))")
    // The copy is what a writer leaves that is killed amid its change.
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(
        atPath: tool.path("hr.db" + suffix), toPath: tool.path("hot.db" + suffix))
    }
    try writer.rollback()
    writer.close()
    let refused = try tool.run("fetch", "Employee", "--read-only", "-s", "hot.db")
    #expect(refused.code == 74 && refused.errors.contains("[store-open]"))
    let arguments =
      ["fetch": ["fetch", "Employee"], "insert": ["insert", "Department", "name=x"], "check": ["check"]][
        command]
      ?? []
    let outcome = try tool.run(CommandLineTool.executable.path, arguments + ["-s", "hot.db"], input: nil)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("[change-taken-back]") == (command != "insert"))
    #expect(try tool.run("count", "Employee", "-w", "name BEGINSWITH 'half'", "-s", "hot.db").output == "0\n")
  }

  @Test("STO-285: a store with a trigger is read; writing ends with 77 and names it, a session warns")
  func triggers() throws {
    let tool = try CommandLineTool.staffedCompany()
    try tool.sqlite("CREATE TRIGGER theirs AFTER INSERT ON ZPERSON BEGIN SELECT 1; END", "hr.db")
    let fetched = try tool.run("fetch", "Employee")
    #expect(fetched.code == 0 && fetched.errors == "")
    for arguments in [
      ["insert", "Department", "name=x"], ["update", "Employee/p1", "name=x"], ["delete", "Employee/p3"],
    ] {
      let outcome = try tool.run(CommandLineTool.executable.path, arguments, input: nil)
      #expect(outcome.code == 77, "\(arguments)")
      #expect(outcome.errors.contains("theirs") && outcome.errors.contains("[read-only-store]"))
    }
    let run = try tool.run("run", "-c", "count Employee")
    #expect(run.code == 0 && run.errors.contains("warning: ") && run.errors.contains("[store-has-triggers]"))
    #expect(try tool.run("info").output.contains("theirs"))
    let check = try tool.run("check")
    #expect(check.code == 0 && check.output.contains("warn") && check.output.contains("theirs"))
  }

  @Test("STO-287, DGN-105: info prints what can be read of a store whose property list is missing")
  func noPropertyList() throws {
    let tool = try CommandLineTool.staffedCompany()
    try tool.sqlite("UPDATE Z_METADATA SET Z_PLIST = NULL", "hr.db")
    let info = try tool.run("info", "--ndjson")
    #expect(info.code == 0 && info.errors.contains("[store-corrupt]") && info.errors.contains("Z_PLIST"))
    #expect(info.output.contains(#""entities":"Department, "#))
    #expect(try tool.run("fetch", "Employee").code == 74)
    let fetched = try tool.run("fetch", "Employee", "--model", company)
    #expect(fetched.code == 0 && fetched.errors.contains("warning") && !fetched.output.isEmpty)
    #expect(try tool.run("insert", "Department", "name=x", "--model", company).code == 74)
    #expect(try tool.run("check", "--model", company).code == 2)
  }

  @Test("info prints the hashes that are in the file")
  func hashes() throws {
    let tool = try CommandLineTool.staffedCompany()
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(try tool.run("info", "--json").output.utf8))
        as? [[String: Any]]
    )[0]
    let listed = try tool.run("metadata", "get", "NSStoreModelVersionHashes", "--ndjson")
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [String: Any])
    let hashes = try #require(record["value"] as? [String: String])
    for (name, hash) in hashes {
      let bytes = try #require(Data(base64Encoded: hash))
      #expect(object["hash.\(name)"] as? String == bytes.map { String(format: "%02x", $0) }.joined())
    }
    #expect(hashes.count >= 4)
  }

  @Test("metadata prints dictionaries and lists as JSON has them")
  func dictionaries() throws {
    let tool = try CommandLineTool.staffedCompany()
    let value = #"{"a":[1,{"b":null},[]],"c":{},"d":"x"}"#
    #expect(try tool.run("metadata", "set", "key:=" + value.replacing("null", with: "true")).code == 0)
    let outcome = try tool.run("metadata", "get", "key", "--ndjson")
    #expect(outcome.output == #"{"key":"key","value":\#(value.replacing("null", with: "true"))}"# + "\n")
  }

  @Test("A limit of the size of files is an error of writing, not the end of the process")
  func fileSizeLimit() throws {
    let tool = try CommandLineTool.staffedCompany()
    let made = try tool.runShell("ulimit -f 8; exec graphstore init new.db -m '\(company)'")
    #expect(made.code == 74, "\(made.errors)")
    #expect(!made.errors.isEmpty)
    let left = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path)
    #expect(!left.contains { $0.contains("new.db") })
  }

  @Test("init takes the store's name once, and a model that is too wide is told with a remedy")
  func initialise() throws {
    let tool = try CommandLineTool()
    #expect(try tool.run("init", "a.db", "--store", "b.db", "-m", company).code == 64)
    #expect(try tool.run("init", "a.db", "-s", "b.db", "-m", company).code == 64)
    #expect(try tool.run("init", "-s", "b.db", "-m", company).code == 0)
    let attributes = (0..<2500).map { #"{"name":"a\#($0)","type":"int16"}"# }.joined(separator: ",")
    try tool.write(#"{"entities":[{"name":"E","attributes":[\#(attributes)]}]}"#, to: "wide.json")
    let wide = try tool.run("init", "wide.db", "-m", "wide.json")
    #expect(wide.code == 65 && wide.errors.contains("[model-too-wide]") && wide.errors.contains("hint: "))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted() == ["b.db", "wide.json"])
  }

  @Test("Of many that make one store at once, one says so and its store is there")
  func race() throws {
    let tool = try CommandLineTool()
    for _ in 0..<3 {
      let outcome = try tool.runShell(
        """
        rm -f r.db; for i in 1 2 3 4 5 6; do
          (graphstore init r.db -m '\(company)' 2>/dev/null; echo $?) &
        done; wait; graphstore insert Department name=kept -s r.db
        """)
      #expect(outcome.lines.filter { $0 == "0" }.count == 1)
      #expect(outcome.lines.allSatisfy { ["0", "73", "75", "Department/p1"].contains($0) })
      #expect(outcome.code == 0)
    }
  }
}
