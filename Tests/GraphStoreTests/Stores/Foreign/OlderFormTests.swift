import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Older forms of stores")
struct OlderFormTests {
  private static let model = ModelDefinition(
    name: "Older",
    entities: [
      EntityDefinition(
        "Person", attributes: [AttributeDefinition("name", .string), AttributeDefinition("city", .string)],
        relationships: [
          RelationshipDefinition("boss", to: "Person", inverse: "staff"),
          RelationshipDefinition("staff", to: "Person", inverse: "boss", isToMany: true),
          RelationshipDefinition("groups", to: "Group", inverse: "people", isToMany: true),
        ], indexes: [IndexDefinition("byCity", elements: [.init("city"), .init("name")])],
        uniquenessConstraints: [["name"]]),
      EntityDefinition(
        "Group", attributes: [AttributeDefinition("name", .string)],
        relationships: [RelationshipDefinition("people", to: "Person", inverse: "groups", isToMany: true)]),
    ])

  /// Makes a store what an older Core Data has made: without a model, pages of 2,048 bytes, a rollback
  /// journal, the constraint inside of its table, indexes by their columns and none on the join table.
  private func makeOlder(_ path: String) throws {
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    defer { connection.close() }
    var metadata = try SQLiteLayout.readMetadata(connection)
    metadata.values[StoreMetadata.Key.format] = nil
    metadata.values[StoreMetadata.Key.model] = nil
    try SQLiteLayout.writeMetadata(connection, metadata)
    let indexes = try connection.withStatement(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
    ) { row in
      var names: [String] = []
      while try row.step() { names.append(row.string(at: 0) ?? "") }
      return names
    }
    for index in indexes { try connection.execute("DROP INDEX \(index)") }
    let table = try #require(try connection.string("SELECT sql FROM sqlite_schema WHERE name = 'ZPERSON'"))
    #expect(table.hasSuffix(")") && indexes.count >= 4)
    try connection.execute(
      """
      CREATE TEMP TABLE kept AS SELECT * FROM ZPERSON;
      DROP TABLE ZPERSON;
      \(table.dropLast()), CONSTRAINT UNIQUE_NAME UNIQUE (ZNAME));
      INSERT INTO ZPERSON SELECT * FROM kept;
      CREATE INDEX ZPERSON_ZBOSS_INDEX ON ZPERSON (ZBOSS);
      CREATE INDEX ZPERSON_ZCITY_ZNAME ON ZPERSON (ZCITY, ZNAME)
      """)
    #expect(try connection.string("PRAGMA journal_mode = DELETE") == "delete")
    try connection.execute("PRAGMA page_size = 2048; VACUUM")
    #expect(try connection.int64("PRAGMA page_size") == 2048)
  }

  @Test("STO-283, STO-264, STO-265: a store of an older form is read, written and checked like any other")
  func older() throws {
    let folder = try LayoutFolder()
    let path = folder.file("s")
    let model = try ManagedObjectModel(Self.model)
    let first = try PersistentStoreCoordinator.create(storeAt: path, model: model)
    var context = ManagedObjectContext(coordinator: first)
    let group = try context.insert("Group", ["name": "all"])
    let ada = try context.insert("Person", ["name": "Ada", "city": "Rome", "groups": Set([group])])
    try context.insert("Person", ["name": "Bob", "city": "Oslo", "boss": ada])
    try context.save()
    first.close()
    try makeOlder(path)

    let coordinator = try PersistentStoreCoordinator.open(storeAt: path, model: model)
    defer { coordinator.close() }
    #expect(coordinator.warnings.isEmpty && !coordinator.isReadOnly)
    context = ManagedObjectContext(coordinator: coordinator)
    let people = try context.all("Person", "city IN {'Rome', 'Oslo'}", sort: ["name"])
    #expect(try people.map { try $0.string("name") } == ["Ada", "Bob"])
    #expect(
      try people[1].object(forKey: "boss") === people[0] && people[0].objects(forKey: "staff") == [people[1]])
    #expect(try people[0].names("groups") == ["all"] && people[1].names("groups").isEmpty)
    try people[1].setValue(people[0].objects(forKey: "groups"), forKey: "groups")
    try people[0].setValue("Bonn", forKey: "city")
    let twin = try context.insert("Person", ["name": "Ada"])
    #expect(code { try context.save() } == .constraintConflict)
    try twin.setValue("Cy", forKey: "name")
    try context.save()
    #expect(try context.count(for: FetchRequest(entityName: "Person")) == 3)
    coordinator.close()

    let raw = try SQLiteConnection(path: path, mode: .readOnly)
    #expect(try raw.string("PRAGMA journal_mode") == "delete" && raw.int64("PRAGMA page_size") == 2048)
    raw.close()
    let again = try PersistentStoreCoordinator.open(storeAt: path, model: model)
    defer { again.close() }
    let reader = ManagedObjectContext(coordinator: again)
    let stored = try reader.all("Group")[0]
    #expect(try stored.names("people").sorted() == ["Ada", "Bob"])
    let findings = try StoreCheck.run(path: path, model: model).flatMap(\.findings)
    #expect(findings.allSatisfy { $0.damage == .missingIndex && $0.severity == .warning }, "\(findings)")
    #expect(findings.allSatisfy { $0.subject != "ZPERSON" }, "\(findings)")
  }
}
