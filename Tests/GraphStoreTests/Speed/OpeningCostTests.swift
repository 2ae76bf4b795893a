import CGraphStoreTestSupport
import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("What opening a store costs")
struct OpeningCostTests {
  private func makeStore(_ path: String, pattern: String = "[^@]+@[^@]+") throws {
    let json = """
      {"entities":[{"name":"Employee","attributes":[
        {"name":"email","type":"string","pattern":"\(pattern)"},{"name":"salary","type":"decimal"}]}]}
      """
    let model = try ManagedObjectModel(json: json.utf8)
    let coordinator = try PersistentStoreCoordinator.create(storeAt: path, model: model)
    let context = ManagedObjectContext(coordinator: coordinator)
    let object = try context.insert(entityNamed: "Employee")
    try object.setValue("a@b", forKey: "email")
    try context.save()
    coordinator.close()
  }

  @Test("Opening reads three tables, in a statement each", arguments: [false, true])
  func statements(isReadOnly: Bool) throws {
    let folder = try LayoutFolder()
    try makeStore(folder.file("s"))
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: folder.file("s"), options: StoreOptions(isReadOnly: isReadOnly))
    #expect(coordinator.statementCount == 3)
  }

  @Test("Opening opens the file for its header and for SQLite, no third time", arguments: [false, true])
  func openings(isReadOnly: Bool) throws {
    let folder = try LayoutFolder()
    try makeStore(folder.file("s"))
    let watch = try OpeningWatch(folder.file("s"))
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: folder.file("s"), options: StoreOptions(isReadOnly: isReadOnly))
    #expect(watch.count() == 2)
    coordinator.close()
  }

  @Test(
    "STO-324: opening a store takes no more memory for 100,000 objects than for one",
    .enabled(if: gs_test_live_allocations() != 0))
  func memory() throws {
    let folder = try LayoutFolder()
    /// The pieces of memory that an open store holds, once some objects were counted.
    func pieces(_ name: String, rows: Int) throws -> Int {
      try makeStore(folder.file(name))
      let raw = try SQLiteConnection(path: folder.file(name), mode: .readWrite)
      try raw.execute(
        """
        WITH RECURSIVE n (k) AS (SELECT 2 UNION ALL SELECT k + 1 FROM n WHERE k < \(rows))
        INSERT INTO ZEMPLOYEE (Z_PK, Z_ENT, Z_OPT, ZEMAIL) SELECT k, 1, 1, k || '@b' FROM n WHERE k <= \(rows);
        UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows)
        """)
      raw.close()
      let before = gs_test_live_allocations()
      let coordinator = try PersistentStoreCoordinator.open(storeAt: folder.file(name))
      defer { coordinator.close() }
      let context = ManagedObjectContext(coordinator: coordinator)
      #expect(try context.count(for: FetchRequest(entityName: "Employee")) == rows)
      return gs_test_live_allocations() - before
    }
    _ = try pieces("warm", rows: 1)
    let (few, many) = (try pieces("few", rows: 1), try pieces("many", rows: 100_000))
    #expect(many - few < 1_000, "\(few) and \(many) pieces")
  }

  @Test("A fetch compiles no pattern, nor does plain text; the first other value that is checked does")
  func patterns() throws {
    let folder = try LayoutFolder()
    try makeStore(folder.file("s"))
    let coordinator = try PersistentStoreCoordinator.open(storeAt: folder.file("s"))
    let context = ManagedObjectContext(coordinator: coordinator)
    let objects = try context.fetch(FetchRequest(entityName: "Employee"))
    let email = try #require(
      coordinator.managedObjectModel.entity(named: "Employee").attribute(named: "email"))
    #expect(!email.hasCompiledPattern)
    try objects[0].setValue("nobody", forKey: "email")
    #expect(throws: (any Error).self) { try context.save() }
    #expect(!email.hasCompiledPattern)
    try objects[0].setValue("nöbody", forKey: "email")
    #expect(throws: (any Error).self) { try context.save() }
    #expect(email.hasCompiledPattern)
    try objects[0].setValue("c@d", forKey: "email")
    try context.save()
  }

  @Test("A model that is given is checked whole, its patterns too")
  func givenModel() throws {
    let json = #"{"entities":[{"name":"E","attributes":[{"name":"a","type":"string","pattern":"("}]}]}"#
    #expect(throws: ModelError.self) { try ManagedObjectModel(json: json.utf8) }
    let stored = try ManagedObjectModel(storedJSON: json)
    let attribute = try #require(stored.entity(named: "E").attribute(named: "a"))
    #expect(attribute.matchesPattern("(") == false)
    #expect(!attribute.hasCompiledPattern)
  }

  @Test("A SQLite file that is no store gets no files beside it")
  func foreignFile() throws {
    let folder = try LayoutFolder()
    let connection = try SQLiteConnection(path: folder.file("x"), mode: .create)
    try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
    connection.close()
    let before = try folder.state()
    for isReadOnly in [false, true] {
      #expect(throws: GraphStoreError.self) {
        try PersistentStoreCoordinator.open(
          storeAt: folder.file("x"), options: StoreOptions(isReadOnly: isReadOnly))
      }
    }
    #expect(try folder.state() == before)
  }

  @Test(
    "A store's path is the one that URL makes",
    arguments: ["s", "./s", "a/../s", "/tmp//s", "/tmp/s", "~s", "a/.b"])
  func path(_ path: String) {
    #expect(AbsolutePath.of(path) == URL(fileURLWithPath: path).path)
  }
}
