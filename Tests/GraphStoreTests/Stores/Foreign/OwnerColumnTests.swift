import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("To-many relationships without inverse in the tables of their members")
struct OwnerColumnTests {
  private static let model = ModelDefinition(
    name: "Calls",
    entities: [
      EntityDefinition(
        "Call", attributes: [AttributeDefinition("day", .date)],
        relationships: [
          RelationshipDefinition(
            "parts", to: "Part", isToMany: true, isOrdered: true, deleteRule: .cascade),
          RelationshipDefinition("notes", to: "Note", isToMany: true),
        ]),
      EntityDefinition("Note", attributes: [AttributeDefinition("text", .string)]),
      EntityDefinition("Part", attributes: [AttributeDefinition("seconds", .int32)]),
    ])

  /// The rows of a store of Core Data with two calls, three parts and two notes.
  private static let rows = """
    INSERT INTO ZCALL VALUES (1, 1, 1, 700000000), (2, 1, 1, 700000100);
    INSERT INTO ZNOTE VALUES (1, 2, 1, 1, 'a'), (2, 2, 1, 1, 'b');
    INSERT INTO ZPART VALUES (1, 3, 1, 10, 1, 3072), (2, 3, 1, 20, 1, 2048), (3, 3, 1, 30, 2, 2048);
    UPDATE Z_PRIMARYKEY SET Z_MAX = 3;
    """

  private func makeForeign(_ path: String, _ statements: String = rows) throws {
    let model = try ManagedObjectModel(Self.model)
    try PersistentStoreCoordinator.create(storeAt: path, model: model).close()
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    defer { connection.close() }
    var metadata = try SQLiteLayout.readMetadata(connection)
    for key in [StoreMetadata.Key.format, StoreMetadata.Key.model] { metadata.values[key] = nil }
    try SQLiteLayout.writeMetadata(connection, metadata)
    try connection.execute(statements)
  }

  private func calls(_ context: ManagedObjectContext) throws -> [ManagedObject] {
    try context.all("Call").sorted { $0.objectID.key < $1.objectID.key }
  }

  private func links(_ context: ManagedObjectContext) throws -> [String] {
    try calls(context).map { call in
      let parts = try call.objects(forKey: "parts").map { "\($0.objectID.key)" }
      let notes = try call.objects(forKey: "notes").map { "\($0.objectID.key)" }.sorted()
      return "\(call.objectID.key): \(parts.joined(separator: " ")) | \(notes.joined(separator: " "))"
    }
  }

  @Test(
    "STO-255, STO-258: such a store is read, fetched from, written and checked, and has no table of pairs")
  func foreign() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("one.sqlite")
    try makeForeign(path)
    let model = try ManagedObjectModel(Self.model)
    let coordinator = PersistentStoreCoordinator(model: model)
    try coordinator.addStore(at: path)
    let context = ManagedObjectContext(coordinator: coordinator)
    #expect(try links(context) == ["1: 2 1 | 1 2", "2: 3 | "])
    #expect(
      try context.all("Call", "ANY notes.text == 'b' AND parts.@count == 2").map(\.objectID.key) == [1])
    let calls = try calls(context)
    let new = try context.insert("Part", ["seconds": 40])
    try calls[1].addObjects([new] + calls[0].objects(forKey: "parts"), forKey: "parts")
    try calls[0].setValue([], forKey: "parts")
    try context.save()
    context.reset()
    #expect(try links(context) == ["1:  | 1 2", "2: 3 4 2 1 | "])
    try context.delete(try #require(self.calls(context).last))
    try context.delete(try #require(context.all("Note", "text == 'a'").first))
    try context.save()
    context.reset()
    #expect(try links(context) == ["1:  | 2"])
    #expect(try context.all("Part").isEmpty)
    coordinator.close()
    #expect(try StoreCheck.run(path: path, model: model).flatMap(\.findings) == [])
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    defer { connection.close() }
    #expect(try SQLiteLayout.readTableNames(connection).contains { $0.hasPrefix("Z_1") } == false)
  }

  @Test("STO-255, STO-289: members of owners that are gone are found and set free, their places with them")
  func repair() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("one.sqlite")
    try makeForeign(path, Self.rows + "DELETE FROM ZCALL WHERE Z_PK = 1;")
    let model = try ManagedObjectModel(Self.model)
    let findings = try StoreCheck.run(path: path, model: model).flatMap(\.findings)
    #expect(
      findings.map { "\($0.subject) \($0.count) \($0.damage)" } == [
        "Call.notes 2 danglingLink", "Call.parts 2 danglingLink",
      ])
    #expect(try StoreRepair(path: path, model: model).run().unrepaired.isEmpty)
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    defer { connection.close() }
    #expect(
      try connection.string("SELECT group_concat(quote(Z1PARTS) || ' ' || quote(Z_FOK_1PARTS)) FROM ZPART")
        == "NULL NULL,NULL NULL,2 2048")
  }

  @Test(
    "STO-255, MIG-085: a migration keeps the columns, and a table of pairs where members may have several owners"
  )
  func migration() throws {
    var next = Self.model
    next.entities[1].attributes.append(AttributeDefinition("more", .string))
    let store = try MigratedStore(Self.model) { context in
      let parts = try (0..<3).map { try context.insert("Part", ["seconds": $0]) }
      let calls = try (0..<2).map { _ in try context.insert("Call", [:]) }
      try calls[0].setValue([parts[2], parts[0]], forKey: "parts")
      try calls[1].setValue([parts[1]], forKey: "parts")
    }
    try store.migrate(to: next)
    try store.expectWhole(next)
    #expect(try store.open(next) { try links($0) } == ["1: 3 1 | ", "2: 2 | "])
    // An n-n that loses its other side keeps what its members say.
    var both = next
    both.entities[0].relationships[1] = RelationshipDefinition(
      "notes", to: "Note", inverse: "calls", isToMany: true)
    both.entities[1].relationships = [
      RelationshipDefinition("calls", to: "Call", inverse: "notes", isToMany: true)
    ]
    let shared = try MigratedStore(both) { context in
      let note = try context.insert("Note", ["text": "shared"])
      for _ in 0..<2 { try context.insert("Call", ["notes": Set([note])]) }
    }
    try shared.migrate(to: next)
    #expect(try shared.open(next) { try links($0) } == ["1:  | 1", "2:  | 1"])
    #expect(try StoreCheck.run(path: shared.path).flatMap(\.findings) == [])
    try shared.migrate(to: Self.model)
    #expect(try shared.open(Self.model) { try links($0) } == ["1:  | 1", "2:  | 1"])
  }
}
