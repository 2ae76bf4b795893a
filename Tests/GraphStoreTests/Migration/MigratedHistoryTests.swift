import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

/// What becomes of a store's history in a migration.
struct MigratedHistoryTests {
  private static func version(
    _ entity: String, _ attributes: [AttributeDefinition], others: [EntityDefinition] = []
  ) -> ModelDefinition {
    ModelDefinition(
      name: "Versions",
      entities: [
        EntityDefinition(
          entity, attributes: attributes,
          relationships: [
            RelationshipDefinition("owner", to: entity, inverse: "things"),
            RelationshipDefinition("things", to: entity, inverse: "owner", isToMany: true),
          ], renamingIdentifier: "T")
      ] + others)
  }

  private static let first = version(
    "T",
    [
      AttributeDefinition("a", .string, preservesValueInHistory: true),
      AttributeDefinition("b", .string, preservesValueInHistory: true),
    ], others: [EntityDefinition("Gone", attributes: [AttributeDefinition("x", .string)])])

  /// Another name, attributes before and behind, one that is gone, and an entity with a lower number.
  private static let second = version(
    "U",
    [
      AttributeDefinition("aa", .int32),
      AttributeDefinition("z", .string, preservesValueInHistory: true, renamingIdentifier: "b"),
    ], others: [EntityDefinition("A", attributes: [AttributeDefinition("y", .string)])])

  private static var tracked: StoreOptions {
    var options = StoreOptions()
    options.historyTracking = true
    return options
  }

  /// A store with three transactions, of which the last deletes.
  private func store() throws -> MigratedStore {
    try MigratedStore(Self.first, options: Self.tracked) { context in
      context.transactionAuthor = "me"
      let one = try context.insert("T", ["a": "a1", "b": "b1"])
      let two = try context.insert("T", ["a": "a2", "b": "b2"])
      _ = try context.insert("Gone", ["x": "x"])
      try context.save()
      try one.setValue("b3", forKey: "b")
      try one.setValue("a3", forKey: "a")
      try two.setValue(one, forKey: "owner")
      try context.save()
      try context.delete(two)
      try context.save()
    }
  }

  private func history(
    _ store: MigratedStore, _ model: ModelDefinition, after token: PersistentHistoryToken? = nil
  ) throws -> [PersistentHistoryTransaction] {
    try store.open(model) { try $0.execute(.fetchHistory(after: token)).transactions }
  }

  @Test(
    "MIG-275, CTX-390: an inferred step carries the history over, with the new names of entities and properties"
  )
  func carriedOver() throws {
    let store = try store()
    let before = try history(store, Self.first)
    #expect(before.map(\.transactionNumber) == [1, 2, 3])
    try store.migrate(to: Self.second)
    let found = try history(store, Self.second)
    #expect(found.map(\.transactionNumber) == [1, 2, 3, 4])
    #expect(found.map(\.author) == ["me", "me", "me", "graphstore.migration"])
    #expect(
      found.map { TrackedStore.lines($0).sorted() } == [
        ["insert U/p1", "insert U/p2"], ["update U/p1 things z", "update U/p2 owner"],
        ["delete U/p2", "update U/p1 things"], [],
      ])
    let deletion = found[2].changes?.first { $0.changeType == .delete }
    #expect(deletion?.tombstone == ["z": .string("b2")])
    // A reader of before goes on.
    #expect(try history(store, Self.second, after: before[1].token).map(\.transactionNumber) == [3, 4])
    try store.open(Self.second) { context in
      _ = try context.insert("U", ["z": "new"])
      try context.save()
      let last = try context.execute(.fetchHistory(after: found[3].token)).transactions
      #expect(last.map(TrackedStore.lines) == [["insert U/p3"]] && last[0].transactionNumber == 5)
    }
  }

  @Test("CTX-403: the readers of the history are known behind a migration")
  func consumers() throws {
    let store = try store()
    let tokens = try history(store, Self.first).map(\.token)
    try store.open(Self.first) { context in
      let coordinator = context.coordinator
      try coordinator.registerHistoryConsumer(named: "mirror", of: coordinator.persistentStores[0])
      try coordinator.updateHistoryConsumer(named: "mirror", to: tokens[1])
    }
    try store.migrate(to: Self.second)
    let (known, removed) = try store.open(Self.second) { context in
      (
        try context.coordinator.historyConsumers().map(\.token),
        try context.coordinator.deleteHistory(readByAllConsumers: true)
      )
    }
    #expect(known == [tokens[1]] && removed == 2)
  }

  @Test("MIG-275: object by object the history is carried over as well")
  func byObjects() throws {
    let store = try store()
    try store.migrate(to: Self.second) { $0.usesStoreSpecificMigrationManager = false }
    #expect(try history(store, Self.second).map(\.transactionNumber) == [1, 2, 3, 4])
  }

  @Test(
    "MIG-275, CTX-390: behind a written mapping the history begins anew, and what was read of it is expired")
  func written() throws {
    let store = try store()
    let tokens = try history(store, Self.first).map(\.token)
    let step = try MigrationStep(
      from: ModelVersion(ManagedObjectModel(Self.first)), to: ModelVersion(ManagedObjectModel(Self.second)),
      written: [MappingModel(entityMappings: [EntityMapping(from: "T", to: "U")])])
    let plan = try MigrationPlan(fromStoreAt: store.path, steps: [step])
    #expect(plan.notices.contains { $0.contains("history begins anew") })
    _ = try StoreMigration(plan).run()
    #expect(try history(store, Self.second).isEmpty)
    #expect { try history(store, Self.second, after: tokens[2]) } throws: {
      GraphStoreError.code(.historyExpired) ~= $0
    }
    let last = try store.open(Self.second) { context in
      _ = try context.insert("U", ["z": "new"])
      try context.save()
      return try context.execute(.fetchHistory(after: nil)).transactions.last?.transactionNumber
    }
    #expect(last == 5)
  }
}
