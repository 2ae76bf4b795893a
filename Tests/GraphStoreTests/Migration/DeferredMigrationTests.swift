import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("Deferred work of migrations")
struct DeferredMigrationTests {
  private static func model(_ names: [String]) -> ModelDefinition {
    ModelDefinition(
      name: "Deferred",
      entities: [
        EntityDefinition(
          "Item", attributes: (["n"] + names).map { AttributeDefinition($0, .int64) },
          indexes: names.map { IndexDefinition("by_\($0)", elements: [.init($0)]) })
      ])
  }

  @Test(
    "MIG-251, MIG-252, MIG-253: indexes are made later, one a call, and requests have the same answers meanwhile"
  )
  func pieces() throws {
    let store = try MigratedStore(Self.model([])) { try $0.insert("Item", ["n": 7]) }
    let new = Self.model(["a", "b"])
    try store.migrate(to: new) { $0.defersIndexes = true }
    func open(_ body: (PersistentStoreCoordinator) throws -> Void) throws {
      let coordinator = try PersistentStoreCoordinator.open(storeAt: store.path)
      defer { coordinator.close() }
      try body(coordinator)
    }
    try open { (coordinator: PersistentStoreCoordinator) throws -> Void in
      #expect(try coordinator.indexDifference().made.count == 2)
      let context = ManagedObjectContext(coordinator: coordinator)
      #expect(try context.all("Item", "a == nil AND n == 7").count == 1)
      #expect(try coordinator.finishDeferredLightweightMigrationTask())
      #expect(try coordinator.indexDifference().made.count == 1)
    }
    try open { (coordinator: PersistentStoreCoordinator) throws -> Void in
      #expect(try !coordinator.finishDeferredLightweightMigrationTask(), "what is left survives the program")
      #expect(try coordinator.indexDifference().made.isEmpty)
      let count = coordinator.counters.statements.total
      try coordinator.finishDeferredLightweightMigration()
      #expect(coordinator.counters.statements.total - count <= 1, "nothing is left, and no lock is taken")
    }
    try store.expectWhole(new)
  }

  @Test(
    "MIG-312: expected objects are compared with those of a store, each used once, and links by a key attribute"
  )
  func verifier() throws {
    let model = TestModels.company()
    let store = try MigratedStore(model) { context in
      let sales = try context.insert("Department", ["name": "Sales"])
      try context.insert("Employee", ["name": "Ada", "department": sales])
    }
    func differences(_ name: String, _ department: String) throws -> [String] {
      try MigrationVerifier.compare(
        storeAt: store.path,
        expected: [
          "Department": [.init(["name": "Sales"])],
          "Employee": [.init(["name": name], links: ["department": .init("name", [department])])],
        ])
    }
    #expect(try differences("Ada", "Sales").isEmpty)
    #expect(try differences("Bob", "Sales").count == 2)
    #expect(try differences("Ada", "Labs").count == 2)
    let empty = try MigrationVerifier.compare(storeAt: store.path, expected: [:])
    #expect(empty.contains("Employee: 1 objects, and 0 are expected"))
  }
}
