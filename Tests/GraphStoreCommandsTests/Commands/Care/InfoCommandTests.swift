import Foundation
import GraphStore
import GraphStoreContextTestSupport
import GraphStoreTestSupport
import Testing

@Suite("graphstore info")
struct InfoCommandTests {
  private func value(_ key: String, _ outcome: CommandLineTool.Outcome) -> String? {
    outcome.lines.first { $0.split(separator: " ").first.map(String.init) == key }
      .map { $0.dropFirst(key.count).trimmingCharacters(in: .whitespaces) }
  }

  @Test("DGN-104: maker, journal, size of pages, pragmas that differ, history and side files are told")
  func form() throws {
    let tool = try CommandLineTool.staffedCompany()
    let plain = try tool.run("info", "--json").output
    for part in [
      #""side-files":null"#, #""maker":"GraphStore""#, #""journal":"wal","page-size":4096,"pragmas":null"#,
      #""history":"off""#, #""objects.Employee":3"#, "\"hash.Employee\":\"",
    ] { #expect(plain.contains(part), "\(part): \(plain)") }
    try tool.damage(
      "PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = 0; PRAGMA page_size = 8192; VACUUM")
    #expect(try tool.run("history", "enable").code == 0)
    let other = try tool.run("info")
    #expect(value("page-size", other) == "8192" && value("journal", other) == "delete")
    #expect(value("pragmas", other) == "auto_vacuum=0, journal_mode=delete, page_size=8192")
    #expect(value("history", other) == "on")
  }

  @Test("DGN-104, STO-161, STO-187: files beside the store are named, external ones counted")
  func sideFiles() throws {
    let tool = try CommandLineTool.staffedCompany()
    let coordinator = try PersistentStoreCoordinator.open(storeAt: tool.path("hr.db"))
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.insert(entityNamed: "Department").setValue("Logistics", forKey: "name")
    try context.save()
    #expect(value("side-files", try tool.run("info")) == "hr.db-wal, hr.db-shm")
    coordinator.close()
    try FileManager.default.createDirectory(
      atPath: tool.path(".hr_SUPPORT/_EXTERNAL_DATA"), withIntermediateDirectories: true)
    #expect(value("side-files", try tool.run("info")) == ".hr_SUPPORT")
  }

  @Test(
    "DGN-105: of a store whose model is missing or whose metadata are damaged the file is told, and which")
  func incomplete() throws {
    let bare = try CommandLineTool.coreDataStandIn(hasModel: false)
    let missing = try bare.run("info", "app.sqlite")
    #expect(missing.code == 0 && missing.errors.contains("[no-model]"), "\(missing)")
    #expect(value("page-size", missing) == "4096" && value("entities", missing) == "Book, Shelf")
    #expect(value("maker", missing) == "Core Data, framework version 1338")
    let tool = try CommandLineTool.staffedCompany()
    try tool.write(
      #"{"entities":[{"name":"Employee","attributes":[{"name":"x","type":"string"}]}]}"#, to: "x.json")
    let unfit = try tool.run("info", "-m", "x.json")
    #expect(unfit.code == 0 && unfit.errors.contains("[incompatible-model]"), "\(unfit)")
    #expect(value("uuid", unfit)?.count == 36)
    try tool.damage("UPDATE Z_METADATA SET Z_PLIST = x'00'")
    let damaged = try tool.run("info")
    #expect(damaged.code == 0 && damaged.errors.contains("[store-corrupt]"), "\(damaged)")
    #expect(value("journal", damaged) == "wal")
  }

  @Test("DGN-104: of a folder each store is a line, also a damaged one, and nothing else")
  func folder() throws {
    let tool = try CommandLineTool.staffedCompany()
    let model = Repository.root.appendingPathComponent("Models/company.json").path
    #expect(try tool.run("init", "archive.db", "-m", model).code == 0)
    try tool.write("hello\n", to: "text")
    try tool.sqlite("CREATE TABLE a (b)", "other.db")
    let bytes = try Data(contentsOf: tool.folder.appendingPathComponent("hr.db"))
    try bytes.prefix(bytes.count / 2).write(to: tool.folder.appendingPathComponent("cut.db"))
    let before = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted()
    let outcome = try tool.run("info", ".", "--ndjson")
    #expect(outcome.code == 0, "\(outcome)")
    let stores = outcome.lines.map { $0.split(separator: "\"")[3] }
    #expect(stores == ["archive.db", "cut.db", "hr.db"])
    #expect(
      outcome.lines[2].contains(#""model":"Company 1""#) || outcome.lines[2].contains(#""model":"company 1""#)
    )
    #expect(
      outcome.lines[2].contains(#""maker":"GraphStore""#) && outcome.lines[2].contains("\"problem\":null"))
    #expect(outcome.lines[1].contains("cut short"))
    #expect(try tool.run("info", "-s", tool.folder.path).lines.count == 4)
    #expect(try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted() == before)
    #expect(try tool.run("info", ".", "-s", "hr.db").code == 64)
    #expect(try tool.run("info", "none.db").code == 66)
    #expect(try tool.run("info", "text").code == 65)
  }

  @Test(
    "DGN-104: of a folder without stores the result is empty as that of a fetch is",
    arguments: [
      ("json", ["[]"]), ("ndjson", []), ("csv", ["store,type,size"]), ("tsv", ["store\ttype\tsize"]),
      ("markdown", ["| store | type | size |", "| --- | --- | --- |"]),
    ])
  func emptyFolder(_ format: String, _ starts: [String]) throws {
    let tool = try CommandLineTool()
    let outcome = try tool.run("info", ".", "--format", format)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.lines.count == starts.count)
    #expect(zip(outcome.lines, starts).allSatisfy { $0.hasPrefix($1) }, "\(outcome)")
  }

  @Test("DGN-104: a folder that may not be read is 77, and no folder without stores")
  func closedFolder() throws {
    let tool = try CommandLineTool()
    // The superuser may read everything, but for one without that right.
    try tool.write(
      """
      mkdir -m 0 shut
      if [ "$(id -u)" = 0 ]; then setpriv --bounding-set=-all graphstore info shut; else graphstore info shut; fi
      code=$?
      chmod 700 shut
      exit $code
      """, to: "script.sh")
    let outcome = try tool.runShell("sh script.sh")
    #expect(outcome.code == 77 && outcome.errors.contains("[no-permission]"), "\(outcome)")
    #expect(outcome.output.isEmpty)
  }
}
