import CGraphStoreSQLite
import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Stores that open for reading only")
struct StoreWarningTests {
  private func open(_ folder: LayoutFolder, isReadOnly: Bool = false) throws -> PersistentStoreCoordinator {
    try .open(storeAt: folder.file("s"), options: StoreOptions(isReadOnly: isReadOnly))
  }

  private func expectReadOnly(_ coordinator: PersistentStoreCoordinator, _ part: String) throws {
    #expect(coordinator.isReadOnly)
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.insert(entityNamed: "Project").setValue("x", forKey: "title")
    let error = #expect(throws: GraphStoreError.self) { try context.save() }
    #expect(error?.code == .readOnlyStore && error?.message.contains(part) == true)
    let store = coordinator.persistentStores[0]
    #expect(throws: GraphStoreError.self) { try coordinator.setMetadata(["a": .int(1)], for: store) }
    let byLocation = #expect(throws: GraphStoreError.self) {
      try PersistentStoreCoordinator.setMetadata(
        ["a": .int(1)], forPersistentStoreAt: URL(fileURLWithPath: store.path))
    }
    #expect(byLocation?.code == .readOnlyStore && byLocation?.message.contains(part) == true)
    #expect(throws: GraphStoreError.self) { try coordinator.rebuildIndexes() }
  }

  @Test("STO-285: a store with triggers on its tables opens for reading only, with a warning that names them")
  func triggers() throws {
    let folder = try LayoutFolder()
    try folder.makeStore("s") {
      try $0.execute(
        """
        CREATE TABLE mine (a); CREATE TRIGGER own AFTER INSERT ON mine BEGIN SELECT 1; END;
        CREATE TRIGGER theirs AFTER INSERT ON zproject BEGIN INSERT INTO mine VALUES (1); END
        """)
    }
    let before = try folder.state()
    let coordinator = try open(folder)
    #expect(coordinator.warnings.map(\.code) == ["store-has-triggers"])
    #expect(coordinator.warnings[0].preventsWriting)
    #expect(coordinator.warnings[0].message.contains("theirs"))
    try expectReadOnly(coordinator, "theirs")
    coordinator.close()
    #expect(try folder.state()["s"] == before["s"])
  }

  @Test(
    "STO-174, CTX-388: a store of Core Data whose history is kept in a form that is not known is not written"
  )
  func history() throws {
    let folder = try LayoutFolder()
    try folder.makeStore("s") {
      var metadata = try SQLiteLayout.readMetadata($0)
      metadata.values[StoreMetadata.Key.format] = nil
      try SQLiteLayout.writeMetadata($0, metadata)
      try $0.execute(
        """
        CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP TIMESTAMP);
        CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZENTITYPK INTEGER)
        """)
    }
    let before = try folder.state()
    let coordinator = try open(folder)
    #expect(coordinator.warnings.map(\.code) == ["store-tracks-history"])
    #expect(
      coordinator.warnings[0].preventsWriting && coordinator.warnings[0].message.contains("ACHANGE"))
    try expectReadOnly(coordinator, "ACHANGE")
    coordinator.close()
    #expect(try folder.state()["s"] == before["s"])
    let reading = try open(folder, isReadOnly: true)
    #expect(
      try ManagedObjectContext(coordinator: reading).count(for: FetchRequest(entityName: "Project")) == 0)
    reading.close()
  }

  @Test(
    "Tables of such names in a store of the library, or one of them alone, stop nothing",
    arguments: [true, false])
  func otherHistory(isOurs: Bool) throws {
    let folder = try LayoutFolder()
    try folder.makeStore("s") {
      try $0.execute("CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY)")
      if isOurs { return try $0.execute("CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY)") }
      var metadata = try SQLiteLayout.readMetadata($0)
      metadata.values[StoreMetadata.Key.format] = nil
      try SQLiteLayout.writeMetadata($0, metadata)
    }
    let coordinator = try open(folder)
    #expect(coordinator.warnings == [] && !coordinator.isReadOnly)
    coordinator.close()
  }

  @Test("A trigger on a table of somebody else's stops nothing")
  func otherTriggers() throws {
    let folder = try LayoutFolder()
    try folder.makeStore("s") {
      try $0.execute("CREATE TABLE mine (a); CREATE TRIGGER own AFTER INSERT ON mine BEGIN SELECT 1; END")
    }
    let coordinator = try open(folder)
    #expect(coordinator.warnings == [] && !coordinator.isReadOnly)
    coordinator.close()
  }

  @Test("A virtual table whose module is not there stops nothing", arguments: [false, true])
  func virtualTable(isReadOnly: Bool) throws {
    let folder = try LayoutFolder()
    try folder.makeStore("s") {
      try $0.execute("CREATE VIRTUAL TABLE words USING fts5(word)")
      try SQLiteSchemaEditor.replace("fts5(", with: "nosuchmodule(", in: $0)
    }
    let coordinator = try open(folder, isReadOnly: isReadOnly)
    #expect(
      try ManagedObjectContext(coordinator: coordinator).count(for: FetchRequest(entityName: "Project")) == 0)
    if !isReadOnly { _ = try coordinator.indexDifference() }
    coordinator.close()
    let parts = try StoreCheck.run(path: folder.file("s"), isQuick: true).first { $0.name == "tables" }
    #expect(parts?.findings.map(\.subject) == ["words"])
  }

  @Test(
    "STO-287: a store whose metadata is damaged is read with a warning, and not written",
    arguments: ["UPDATE Z_METADATA SET Z_PLIST = NULL", "UPDATE Z_METADATA SET Z_PLIST = x'00'"])
  func damagedMetadata(_ sql: String) throws {
    let folder = try LayoutFolder()
    try folder.makeStore("s") {
      try $0.execute(
        "INSERT INTO ZPROJECT (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 7, 1, 'a'); UPDATE Z_PRIMARYKEY SET Z_MAX = 1"
      )
      try $0.execute(sql)
    }
    let model = try LayoutModels.company()
    let path = folder.file("s")
    let reading = StoreOptions(isReadOnly: true)
    let coordinator = try PersistentStoreCoordinator.open(storeAt: path, options: reading, model: model)
    #expect(coordinator.warnings.map(\.code) == ["store-corrupt"])
    #expect(coordinator.warnings[0].message.contains("Z_PLIST") && !coordinator.warnings[0].preventsWriting)
    let context = ManagedObjectContext(coordinator: coordinator)
    let objects = try context.fetch(FetchRequest(entityName: "Project"))
    #expect(try objects.map { try $0.value(forKey: "title") as? String } == ["a"])
    coordinator.close()
    for body in [
      { try PersistentStoreCoordinator.open(storeAt: path, model: model).close() },
      { try PersistentStoreCoordinator.open(storeAt: path, options: reading).close() },
      { _ = try StoreCheck.run(path: path) },
    ] as [() throws -> Void] {
      let error = #expect(throws: GraphStoreError.self) { try body() }
      #expect(error?.code == .storeCorrupt && error?.message.contains("Z_PLIST") == true)
    }
    let summary = try StoreSummary.read(path: path)
    #expect(summary.identifier == coordinator.storeIdentifier || summary.identifier != nil)
    #expect(summary.entityNames.first == "Department" && summary.damage != nil && summary.metadata.count == 1)
    let results = try StoreCheck.run(path: path, model: model)
    #expect(results.filter { !$0.isOK }.map(\.name) == ["system tables"])
  }
}

/// Edits the text of a schema, which SQLite reads when the file is opened next.
private enum SQLiteSchemaEditor {
  static func replace(_ text: String, with other: String, in connection: SQLiteConnection) throws {
    let path = try #require(connection.path)
    connection.close()
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    #expect(sqlite3_open(path, &database) == SQLITE_OK)
    let sql = """
      PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '\(text)', '\(other)')
      """
    #expect(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
  }
}
