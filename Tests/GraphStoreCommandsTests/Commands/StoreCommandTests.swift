import Foundation
import GraphStore
import GraphStoreContextTestSupport
import GraphStoreTestSupport
import Testing

@Suite("graphstore init, info, metadata, check and model")
struct StoreCommandTests {
  private let company = Repository.root.appendingPathComponent("Models/company.json").path

  @Test("DGN-186: init makes a store and never overwrites one; a script is told nothing")
  func initialise() throws {
    let tool = try CommandLineTool()
    let made = try tool.run("init", "hr.db", "--model", company)
    #expect(made.code == 0)
    #expect(made.output + made.errors == "")
    let again = try tool.run("init", "hr.db", "--model", company)
    #expect(again.code == 73 && again.errors.contains("[store-exists]"), "\(again)")
    #expect(try tool.run("init", "no/such/hr.db", "--model", company).code == 73)
    #expect(try tool.run("init", "other.db", "--model", "nofile.json").code == 66)
    #expect(try tool.run("init", "other.db").code == 66)
    #expect(!FileManager.default.fileExists(atPath: tool.path("other.db")))
    tool.environment["GRAPHSTORE_MODEL"] = company
    #expect(try tool.run("init", "other.db").code == 0)
  }

  @Test("STO-082: init refuses the place of databases in memory, which would be gone with the command")
  func nowhere() throws {
    let tool = try CommandLineTool()
    for path in ["/dev/null", "/dev/../dev/null"] {
      let outcome = try tool.run("init", path, "-m", company)
      #expect(outcome.code == 73 && outcome.errors.contains("[cannot-create]"), "\(outcome.errors)")
    }
  }

  @Test("MDL-288, STO-266: init says which index a store is made without")
  func indexLeftOut() throws {
    let tool = try CommandLineTool()
    try tool.write(
      """
      {"name": "Map", "entities": [{"name": "Place", "attributes": [
        {"name": "x", "type": "double"}, {"name": "y", "type": "double"}],
        "indexes": [{"name": "area", "elements": [
          {"property": "x", "type": "rtree"}, {"property": "y", "type": "rtree"}]}]}]}
      """, to: "map.json")
    let outcome = try tool.run("init", "map.db", "--model", "map.json")
    #expect(outcome.code == 0 && outcome.errors.contains("area"), "\(outcome)")
    #expect(outcome.errors.contains("[index-left-out]"), "\(outcome)")
  }

  @Test("info says how the file keeps a transaction")
  func journal() throws {
    let tool = try CommandLineTool.company()
    #expect(try tool.run("info").lines.contains { $0.hasPrefix("journal") && $0.hasSuffix("wal") })
    #expect(try tool.run("info", "--json").output.contains(#""journal":"wal""#))
  }

  @Test("STO-333: info tells the size of a write-ahead log that is not empty")
  func log() throws {
    let tool = try CommandLineTool.company()
    #expect(try !tool.run("info").output.contains("log-bytes"))
    let coordinator = try PersistentStoreCoordinator.open(storeAt: tool.path("hr.db"))
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.insert(entityNamed: "Department").setValue("Logistics", forKey: "name")
    try context.save()
    let size = try #require(coordinator.persistentStores[0].writeAheadLog?.bytes)
    #expect(try size > 0 && tool.run("info", "--json").output.contains("\"log-bytes\":\(size)"))
    coordinator.close()
    #expect(try !tool.run("info").output.contains("log-bytes"))
  }

  @Test("An empty file is a new store for init")
  func emptyFile() throws {
    let tool = try CommandLineTool()
    try tool.write("", to: "hr.db")
    #expect(try tool.run("init", "hr.db", "-m", company).code == 0)
    #expect(try tool.run("count", "Employee", "-s", "hr.db").output == "0\n")
  }

  @Test("MDL-362: init with a broken model lists every problem and makes no file")
  func brokenModel() throws {
    let tool = try CommandLineTool()
    try tool.write(
      """
      {"name":"X","entities":[{"name":"A","parent":"B"},{"name":"A","attributes":[{"name":"x","type":"strng"}]}]}
      """, to: "bad.json")
    let outcome = try tool.run("init", "x.db", "-m", "bad.json")
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains("entities[0]"))
    #expect(outcome.errors.contains("entities[1].attributes[0]"))
    #expect(outcome.errors.contains("bad.json has 3 problems"))
    #expect(outcome.errors.contains("1:37: model-unknown-entity: entities[0].parent"))
    #expect(!FileManager.default.fileExists(atPath: tool.path("x.db")))
    let validated = try tool.run("model", "validate", "bad.json")
    #expect(validated.code == 2)
    #expect(validated.output.contains("entities[0]"))
    #expect(try tool.run("model", "validate", "bad.json", "--json").output.contains(#""ok":false"#))
  }

  @Test("MDL-361: model validate is silent about a good model and misses no absent one")
  func validate() throws {
    let tool = try CommandLineTool()
    let good = try tool.run("model", "validate", company)
    #expect(good.code == 0)
    #expect(good.output == "")
    #expect(try tool.run("model", "validate", "nofile.json").code == 66)
    try tool.write("{", to: "broken.json")
    #expect(try tool.run("model", "validate", "broken.json").code == 2)
  }

  @Test("MDL-363: model show prints a file's model and the model inside a store alike")
  func show() throws {
    let tool = try CommandLineTool.company()
    let inStore = try tool.run("model", "show")
    #expect(inStore.output.contains("Employee < Person"))
    #expect(inStore.output.contains("manager     → Employee, inverse reports, nullify"))
    #expect(try tool.run("model", "show", company).output == inStore.output)
    #expect(try tool.run("model", "show", "--entity", "Department").output.hasPrefix("Department\n"))
    let json = try tool.run("model", "show", "--json").output
    try tool.write(json, to: "copy.json")
    #expect(try tool.run("model", "validate", "copy.json").code == 0)
    #expect(
      try tool.run("model", "show", "--entity", "Emploee").errors.contains("did you mean \"Employee\"?"))
  }

  @Test("info names path, size, UUID, model and counts")
  func info() throws {
    let tool = try CommandLineTool.staffedCompany()
    let outcome = try tool.run("info", "--ndjson")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect((object["path"] as? String)?.hasSuffix("/hr.db") == true)
    #expect(object["model"] as? String == "Company")
    #expect(object["objects"] as? Int == 6)
    #expect(object["objects.Employee"] as? Int == 3)
    #expect((object["size"] as? Int ?? 0) > 4096)
    #expect(object["hashes"] as? String == "GraphStore's own: Apple's framework will not open the store")
    #expect(try tool.run("info").output.contains("model"))
    #expect(try tool.runShell("mkdir in && ln -s ../hr.db in/link.db").code == 0)
    let linked = try tool.run("info", "--ndjson", "-s", "in/link.db").output
    #expect(linked.contains("\"size\":\(object["size"] as? Int ?? 0),"))
  }

  @Test("metadata is listed, read, set and unset; the store's own keys are reserved (STO-108)")
  func metadata() throws {
    let tool = try CommandLineTool.company()
    #expect(try tool.run("metadata", "set", "owner=Ada", "reviewed:=true", "parts:=[1,\"b\"]").code == 0)
    #expect(try tool.run("metadata", "get", "owner").output == "Ada\n")
    #expect(
      try tool.run("metadata", "list", "-f", "csv").output
        == "key,value\nowner,Ada\nparts,\"[1,\"\"b\"\"]\"\nreviewed,true\n")
    #expect(try tool.run("metadata", "list", "--all").output.contains("NSStoreUUID"))
    #expect(try tool.run("metadata", "unset", "owner").code == 0)
    #expect(try tool.run("metadata", "get", "owner").code == 2)
    let reserved = try tool.run("metadata", "set", "NSStoreUUID=x")
    #expect(reserved.code == 64)
    #expect(reserved.errors.contains("[metadata-reserved]"))
    #expect(try tool.run("metadata", "unset", "_GSModel").code == 64)
  }

  @Test("STO-120: JSON has all keys of the metadata, and a table marks those of the store's own")
  func metadataKeys() throws {
    let tool = try CommandLineTool.company()
    #expect(try tool.run("metadata", "set", "owner=Ada").code == 0)
    let json = try tool.run("metadata", "list", "--json").output
    #expect(json.contains("owner") && json.contains("NSStoreUUID"))
    let table = try tool.run("metadata", "list", "--all", "-f", "table").output
    #expect(table.contains("NSStoreUUID (reserved)") && !table.contains("owner (reserved)"))
    #expect(try !tool.run("metadata", "list", "-f", "table").output.contains("NSStoreUUID"))
  }

  @Test("STO-120: metadata work by location: of a store whose model cannot be read, too")
  func metadataByLocation() throws {
    let tool = try CommandLineTool.company()
    try tool.damage("DROP TABLE ZPERSON")
    #expect(try tool.run("metadata", "set", "owner=Ada").code == 0)
    #expect(try tool.run("metadata", "get", "owner").output == "Ada\n")
    #expect(try tool.run("metadata", "set", "owner=Bob", "--read-only").code == 77)
    #expect(try tool.run("metadata", "get", "owner").output == "Ada\n")
  }

  @Test("STO-120: in a transaction of a script metadata are a part of it")
  func metadataInTransaction() throws {
    let tool = try CommandLineTool.company()
    try tool.write("metadata set owner=Ada\ninsert Nothing\n", to: "bad.gs")
    #expect(try tool.run("run", "bad.gs").code != 0)
    #expect(try tool.run("metadata", "get", "owner").code == 2)
    try tool.write("metadata set owner=Ada\nmetadata get owner\n", to: "good.gs")
    #expect(try tool.run("run", "good.gs").output.contains("Ada"))
    #expect(try tool.run("metadata", "get", "owner").output == "Ada\n")
  }

  @Test("DGN-106: check says ok for a sound store, and 2 for one with a dangling reference")
  func check() throws {
    let tool = try CommandLineTool.staffedCompany()
    let sound = try tool.run("check")
    #expect(sound.code == 0)
    #expect(sound.output.hasPrefix("ok    sqlite integrity, "))
    #expect(try tool.run("check", "--quick").code == 0)
    try tool.damage("UPDATE ZPERSON SET ZDEPARTMENT = 77 WHERE Z_PK = 2")
    let damaged = try tool.run("check")
    #expect(damaged.code == 2)
    #expect(damaged.output.contains("FAIL"))
    #expect(damaged.output.contains("Employee/p2"))
    #expect(try tool.run("check", "--json").output.hasPrefix(#"{"ok":false,"checks":["#))
  }

  @Test("A model given for an existing store must be the store's (exit 78)")
  func incompatibleModel() throws {
    let tool = try CommandLineTool.company()
    #expect(try tool.run("count", "Employee", "--model", company).code == 0)
    let packages = Repository.root.appendingPathComponent("Models/packages.json").path
    #expect(try tool.run("count", "Employee", "--model", packages).code == 78)
  }
}
