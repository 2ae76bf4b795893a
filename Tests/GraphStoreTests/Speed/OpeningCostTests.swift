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
    #expect(!attribute.matchesPattern("("))
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
