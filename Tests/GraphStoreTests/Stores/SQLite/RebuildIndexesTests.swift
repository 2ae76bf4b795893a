import Foundation
import Testing

@testable import GraphStore
@testable import GraphStoreSQLite

@Suite("Indexes of a store and of its model")
struct RebuildIndexesTests {
  private let folder: LayoutFolder
  private var path: String { folder.file("s.db") }

  init() throws { folder = try LayoutFolder() }

  private static func model(_ indexes: [IndexDefinition], unique: [[String]] = []) throws
    -> ManagedObjectModel
  {
    try ManagedObjectModel(
      ModelDefinition(entities: [
        EntityDefinition(
          "Thing",
          attributes: [
            AttributeDefinition("name", .string), AttributeDefinition("size", .int64),
            AttributeDefinition("code", .string),
          ],
          relationships: [
            .init("whole", to: "Thing", inverse: "parts"),
            .init("parts", to: "Thing", inverse: "whole", isToMany: true),
          ],
          indexes: indexes, uniquenessConstraints: unique)
      ]))
  }

  private static let byName = IndexDefinition("byName", elements: [.init("name")])
  private static let bySize = IndexDefinition("bySize", elements: [.init("size", order: .descending)])
  private static let large = IndexDefinition("large", elements: [.init("name")], predicate: "size > 10")
  private static let folded = IndexDefinition("folded", elements: [.init(expression: "lowercase:(name)")])

  private func create(_ indexes: [IndexDefinition]) throws {
    let context = ManagedObjectContext(
      coordinator: try .create(storeAt: path, model: try Self.model(indexes)))
    for (name, size) in [("a", 1), ("B", 20), ("c", 30)] {
      try context.insert("Thing", ["name": name, "size": size])
    }
    try context.save()
    context.coordinator.close()
  }

  private func rows(_ sql: String) throws -> [String] {
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    defer { connection.close() }
    return try SQLiteSchemaCopy.rows(connection, sql, columns: 1).map { $0[0] ?? "NULL" }
  }

  private func execute(_ sql: String) throws {
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    try SQLiteDialect.install(on: connection)
    try connection.execute(sql)
    connection.close()
  }

  private func indexes() throws -> [String] {
    try rows("SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name")
  }

  @Test("MDL-290: a store whose indexes differ from the model's opens, works, and keeps its indexes")
  func kept() throws {
    try create([Self.byName])
    let context = ManagedObjectContext(
      coordinator: try .open(storeAt: path, model: try Self.model([Self.bySize])))
    #expect(try context.all("Thing", "size > 10").count == 2)
    try context.insert("Thing", ["name": "d"])
    try context.save()
    #expect(
      try context.coordinator.indexDifference()
        == IndexChanges(made: ["Z_Thing_bySize"], removed: ["Z_Thing_byName"]))
    context.coordinator.close()
    #expect(try indexes() == ["ZTHING_ZWHOLE_INDEX", "Z_Thing_byName"])
  }

  @Test(
    "MDL-290: rebuildIndexes() makes what is missing, removes what the model does not have, and nothing else")
  func rebuilt() throws {
    try create([Self.byName])
    try execute("CREATE INDEX by_hand ON ZTHING (ZCODE); DROP INDEX ZTHING_ZWHOLE_INDEX")
    let tables = try rows("SELECT sql FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: path, model: try Self.model([Self.bySize, Self.large, Self.folded]))
    let changes = try coordinator.rebuildIndexes()
    #expect(
      Set(changes.made) == ["ZTHING_ZWHOLE_INDEX", "Z_Thing_bySize", "Z_Thing_folded", "Z_Thing_large"])
    #expect(changes.removed == ["Z_Thing_byName"])
    #expect(try coordinator.rebuildIndexes().isEmpty && coordinator.indexDifference().isEmpty)
    coordinator.close()
    #expect(
      try indexes() == [
        "ZTHING_ZWHOLE_INDEX", "Z_Thing_bySize", "Z_Thing_folded", "Z_Thing_large", "by_hand",
      ])
    #expect(try rows("SELECT sql FROM sqlite_schema WHERE type = 'table' ORDER BY name") == tables)
    #expect(try rows("SELECT count(*) FROM ZTHING") == ["3"])
    #expect(try StoreCheck.run(path: path).flatMap(\.findings) == [])
    let again = ManagedObjectContext(coordinator: try .open(storeAt: path))
    #expect(try again.coordinator.indexDifference().isEmpty)
    #expect(try again.all("Thing", "lowercase:(name) == 'b'").count == 1)
    again.coordinator.close()
  }

  @Test("STO-265: an index of another name that holds the same stays as it is")
  func otherName() throws {
    try create([Self.byName, Self.bySize])
    try execute(
      """
      DROP INDEX Z_Thing_byName; DROP INDEX Z_Thing_bySize;
      CREATE INDEX ZTHING_ZNAME_INDEX ON ZTHING (ZNAME); CREATE INDEX ZOTHER ON ZTHING (ZSIZE)
      """)
    let coordinator = try PersistentStoreCoordinator.open(storeAt: path)
    #expect(
      try coordinator.rebuildIndexes() == IndexChanges(made: ["Z_Thing_bySize"], removed: ["ZOTHER"]),
      "another order is another index")
    coordinator.close()
    #expect(try indexes() == ["ZTHING_ZNAME_INDEX", "ZTHING_ZWHOLE_INDEX", "Z_Thing_bySize"])
  }

  @Test("MDL-290: a transaction that is taken back takes the indexes with it; a store for reading refuses")
  func refused() throws {
    struct Failed: Error {}
    try create([Self.byName])
    let model = try Self.model([Self.bySize])
    let coordinator = try PersistentStoreCoordinator.open(storeAt: path, model: model)
    #expect(throws: Failed.self) {
      try coordinator.mounts[0].store.write { session in
        _ = try (session as? any IndexWritingSession)?.rebuildIndexes()
        throw Failed()
      }
    }
    coordinator.close()
    #expect(try indexes() == ["ZTHING_ZWHOLE_INDEX", "Z_Thing_byName"])
    let reading = try PersistentStoreCoordinator.open(
      storeAt: path, options: StoreOptions(isReadOnly: true), model: model)
    #expect { try reading.rebuildIndexes() } throws: { GraphStoreError.code(.readOnlyStore) ~= $0 }
    reading.close()
  }

  @Test("MDL-296: a constraint doubles as an index on its attributes in the given order")
  func constraintAsIndex() throws {
    let coordinator = try PersistentStoreCoordinator.create(
      storeAt: path, model: try Self.model([], unique: [["name", "size"]]))
    let context = ManagedObjectContext(coordinator: coordinator)
    defer { coordinator.close() }
    func plan(_ predicate: String, sort: [String] = []) throws -> String {
      try context.explain(
        FetchRequest(
          entityName: "Thing", predicate: try QueryPredicate(parsing: predicate),
          sortDescriptors: try sort.map { try QuerySortDescriptor(parsing: $0) })
      ).statements[0].plan.map(\.text).joined(separator: "\n")
    }
    let index = "Z_Thing_UNIQUE_name_size"
    #expect(try plan("name == 'a'").contains("\(index) (ZNAME=?)"))
    #expect(try plan("name == 'a' AND size > 3").contains("\(index) (ZNAME=? AND ZSIZE>?)"))
    #expect(try !plan("size == 3").contains(index), "the second attribute alone leads nowhere")
  }
}
