import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Uniqueness constraints with to-one relationships", .everyStore)
struct UniqueReferenceTests {
  private static let model = ModelDefinition(
    name: "Deliveries",
    entities: [
      EntityDefinition(
        "Delivery", attributes: [AttributeDefinition("backend", .string)],
        relationships: [RelationshipDefinition("object", to: "Object", inverse: "deliveries")],
        uniquenessConstraints: [["object", "backend"]]),
      EntityDefinition(
        "Object", attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition(
            "deliveries", to: "Delivery", inverse: "object", isToMany: true, deleteRule: .cascade)
        ]),
      EntityDefinition("Special", parent: "Object"),
    ])

  private func objects(_ stack: TestStack) throws -> [ManagedObject] {
    let objects = try ["Object", "Special"].map { try stack.context.insert($0, ["name": $0]) }
    try stack.context.save()
    return objects
  }

  private func conflict(_ stack: TestStack) -> GraphStoreError? {
    do {
      try stack.context.save()
      return nil
    } catch { return error as? GraphStoreError }
  }

  @Test("MDL-291, CTX-232: a second object with the reference and value of a stored one is refused")
  func stored() throws {
    let stack = try TestStack(Self.model)
    let objects = try objects(stack)
    let first = try stack.context.insert("Delivery", ["object": objects[1], "backend": "x"])
    try stack.context.insert("Delivery", ["object": objects[0], "backend": "x"])
    try stack.context.insert("Delivery", ["object": objects[1], "backend": "y"])
    try stack.context.save()
    let second = try stack.context.insert("Delivery", ["object": objects[1], "backend": "x"])
    let error = conflict(stack)
    #expect(error?.code == .constraintConflict)
    #expect(error?.relatedObjects == [first.objectID])
    #expect(error?.message.contains("object Special/p\(objects[1].key)") == true, "\(error as Any)")
    try second.setValue(nil, forKey: "object")
    #expect(conflict(stack) == nil)
    // A change of the reference alone breaks it too.
    try second.setValue(objects[1], forKey: "object")
    #expect(conflict(stack)?.code == .constraintConflict)
    stack.context.rollback()
    #expect(try stack.otherProcess().all("Delivery").count == 4)
  }

  @Test("MDL-291, CTX-230: two new objects that refer to a new one collide in the context")
  func new() throws {
    let stack = try TestStack(Self.model)
    let object = try stack.context.insert("Object", ["name": "new"])
    for _ in 0..<2 { try stack.context.insert("Delivery", ["object": object, "backend": "x"]) }
    let error = conflict(stack)
    #expect(
      error?.code == .constraintConflict && error?.constraintConflicts.first?.conflictingObjects.count == 2)
    #expect(error?.constraintConflicts.first?.constraint == ["object", "backend"])
  }

  @Test("MDL-294: an object without the reference conflicts with none, and values may change places")
  func missingAndExchanged() throws {
    let stack = try TestStack(Self.model)
    let objects = try objects(stack)
    for _ in 0..<2 { try stack.context.insert("Delivery", ["backend": "x"]) }
    let deliveries = try objects.map { try stack.context.insert("Delivery", ["object": $0, "backend": "x"]) }
    try stack.context.save()
    try deliveries[0].setValue(objects[1], forKey: "object")
    try deliveries[1].setValue(objects[0], forKey: "object")
    try stack.context.save()
    let stored = try stack.otherProcess().all("Delivery", "object != nil")
    #expect(
      Set(try stored.map { "\($0.key) \(try $0.object(forKey: "object")?.key ?? 0)" })
        == ["\(deliveries[0].key) \(objects[1].key)", "\(deliveries[1].key) \(objects[0].key)"])
  }
}

@Suite("Indexes of uniqueness constraints with to-one relationships")
struct UniqueReferenceIndexTests {
  private static func model(_ constraints: [[String]]) -> ModelDefinition {
    ModelDefinition(entities: [
      EntityDefinition(
        "Delivery", attributes: [AttributeDefinition("backend", .string)],
        relationships: [RelationshipDefinition("object", to: "Object")],
        uniquenessConstraints: constraints), EntityDefinition("Object"),
    ])
  }

  @Test("STO-264: the index is over the columns of the key and of the attribute, in the constraint's order")
  func index() throws {
    let schema = SQLSchema(model: try ManagedObjectModel(Self.model([["object", "backend"]])))
    #expect(
      try schema.indexes().filter(\.isUnique).map(\.sql) == [
        "CREATE UNIQUE INDEX Z_Delivery_UNIQUE_object_backend ON ZDELIVERY (ZOBJECT COLLATE BINARY ASC, "
          + "ZBACKEND COLLATE BINARY ASC)"
      ])
  }

  @Test("MIG-092, MIG-121: a migration to such a constraint counts duplicates first, and check finds them")
  func migration() throws {
    let store = try MigratedStore(Self.model([])) { context in
      let object = try context.insert("Object", [:])
      for backend in ["x", "x", "y"] {
        try context.insert("Delivery", ["object": object, "backend": backend])
      }
    }
    let error = #expect(throws: GraphStoreError.self) {
      try store.migrate(to: Self.model([["object", "backend"]]))
    }
    #expect(error?.code == .migrationConstraint && "\(error as Any)".contains("object, backend"))
    try store.open(Self.model([])) { try $0.delete(try #require($0.all("Delivery", "backend == 'x'").first)) }
    try store.migrate(to: Self.model([["object", "backend"]]))
    try store.expectWhole(Self.model([["object", "backend"]]))
    let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
    try connection.execute("DROP INDEX Z_Delivery_UNIQUE_object_backend; UPDATE ZDELIVERY SET ZBACKEND = 'x'")
    connection.close()
    let findings = try StoreCheck.run(path: store.path).flatMap(\.findings)
    #expect(findings.map(\.damage) == [.missingIndex, .duplicate])
  }
}
