import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

/// Stores of Core Data that carry no model: which version, and which configuration, they have.
@Suite("Stores of Core Data without a model")
struct UnknownModelTests {
  private static func version(_ count: Int, _ modifier: String? = nil) -> ModelDefinition {
    ModelDefinition(
      name: "Library",
      entities: [
        EntityDefinition(
          "Book", attributes: (0..<count).map { AttributeDefinition("a\($0)", .string) },
          versionHashModifier: modifier)
      ])
  }

  private static let versions = (1...3).map { version($0) }

  private static func store(_ number: Int) throws -> MigratedStore {
    let store = try MigratedStore(versions[number - 1]) { try $0.add("Book", ["a0": "x"]) }
    try store.makeForeign()
    return store
  }

  @Test(
    "MIG-002, MIG-003, MIG-278: entities, tables and columns tell the version, and it is migrated like any other",
    arguments: 1...3)
  func byColumns(_ number: Int) throws {
    let folder = try VersionFolder(Self.versions)
    let store = try Self.store(number)
    let before = try store.folder.state()
    #expect(try folder.versions().version(ofStoreAt: store.path)?.name == "\(number)")
    let plan = try store.plan(to: folder.versions())
    #expect(plan.source.label == "\(number)" && plan.steps.count == 3 - number)
    #expect(try store.folder.state() == before, "MIG-005")
    guard number < 3 else { return }
    let result = try StoreMigration(plan).run()
    #expect(result.backup != nil)
    try store.expectWhole(Self.versions[2])
    #expect(try store.contents(Self.versions[2]) == [#"Book/p1 a0="x" a1=nil a2=nil"#])
  }

  @Test("MIG-002: the model that is given tells the version, also where columns alone tell another one")
  func given() throws {
    let alike = [Self.version(1), Self.version(1, "later"), Self.version(2)]
    let folder = try VersionFolder(alike)
    let store = try Self.store(1)
    #expect(try store.plan(to: folder.versions()).source.label == "2")
    let model = try ManagedObjectModel(alike[0])
    let plan = try MigrationPlan(fromStoreAt: store.path, to: folder.versions(), madeWith: model)
    #expect(plan.source.label == "1" && plan.steps.count == 2)
    // Also where it is none of the directory, and where there is none.
    let others = try VersionFolder([alike[2]])
    #expect(
      try MigrationPlan(fromStoreAt: store.path, to: others.versions(), madeWith: model).steps.count == 1)
    let wrong = try ManagedObjectModel(alike[2])
    let error = try expectFailure(.incompatibleModel) {
      _ = try MigrationPlan(fromStoreAt: store.path, to: folder.versions(), madeWith: wrong)
    }
    #expect(error.details.contains { $0.contains("ZA1") })
  }

  @Test("MIG-008: a store that no version fits is refused with the hashes of both sides")
  func unknown() throws {
    let folder = try VersionFolder(Self.versions)
    let store = try MigratedStore(
      .of(EntityDefinition("Book", attributes: [AttributeDefinition("other", .string)])))
    try store.makeForeign()
    let error = try expectFailure(.sourceModelMissing) { _ = try store.plan(to: folder.versions()) }
    #expect(error.details.filter { $0.hasPrefix("the store: Book abababababababab") }.count == 1)
    #expect(error.details.count { $0.hasPrefix("version ") } == 3)
  }

  // MARK: Configurations

  private static func parts(_ count: Int) -> ModelDefinition {
    var model = version(count)
    model.entities.append(EntityDefinition("Place", attributes: [AttributeDefinition("lat", .double)]))
    model.configurations = [
      ConfigurationDefinition("Cloud", entities: ["Book"]),
      ConfigurationDefinition("Local", entities: ["Place"]),
    ]
    return model
  }

  @Test(
    "STO-020, MDL-254, MIG-006: a store of one configuration opens, is checked and migrated where exactly that fits",
    arguments: [false, true])
  func configuration(isForeign: Bool) throws {
    let store = try MigratedStore(Self.parts(1), options: StoreOptions(configuration: "Cloud")) { context in
      try context.add("Book", ["a0": "x"])
    }
    if isForeign { try store.makeForeign() }
    let model = try ManagedObjectModel(Self.parts(1))
    #expect(try StoreCheck.run(path: store.path, model: model).flatMap(\.findings).isEmpty)
    let coordinator = try PersistentStoreCoordinator.open(storeAt: store.path, model: model)
    #expect(coordinator.storeConfiguration == "Cloud")
    let context = ManagedObjectContext(coordinator: coordinator)
    #expect(
      try context.performAndWait { try context.count(for: FetchRequest<ManagedObject>(entityName: "Book")) }
        == 1)
    coordinator.close()
    let other = StoreOptions(configuration: "Local")
    let error = try expectFailure(.incompatibleModel) {
      _ = try PersistentStoreCoordinator.open(storeAt: store.path, options: other, model: model)
    }
    #expect(error.remedy.contains("Cloud"))
    let folder = try VersionFolder([Self.parts(1), Self.parts(2)])
    let plan = try store.plan(to: folder.versions())
    #expect(plan.source.label == "1" && !plan.isLossy)
    _ = try StoreMigration(plan).run()
    #expect(
      try store.open(Self.parts(2), StoreOptions(configuration: "Cloud")) { try $0.all("Book").count } == 1)
  }

  @Test("STO-020: of two configurations with the same entities none is guessed")
  func ambiguous() throws {
    var model = Self.parts(1)
    model.configurations.append(ConfigurationDefinition("Books", entities: ["Book"]))
    let store = try MigratedStore(model, options: StoreOptions(configuration: "Cloud"))
    try store.makeForeign()
    let definition = try ManagedObjectModel(model)
    let error = try expectFailure(.incompatibleModel) {
      _ = try PersistentStoreCoordinator.open(storeAt: store.path, model: definition)
    }
    #expect(error.remedy.contains("Cloud, Local, Books"))
    let options = StoreOptions(configuration: "Books")
    try PersistentStoreCoordinator.open(storeAt: store.path, options: options, model: definition).close()
  }
}

extension MigratedStore {
  /// Makes it what a Core Data of before 2015 has left: hashes of its own, and no model.
  func makeForeign(_ change: (inout [String: Value]) -> Void = { _ in }) throws {
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    defer { connection.close() }
    var metadata = try SQLiteLayout.readMetadata(connection)
    let names = metadata.versionHashes.keys
    metadata.values = metadata.values.filter { !$0.key.hasPrefix("_GS") }
    metadata.values[StoreMetadata.Key.hashes] = .dictionary(
      Dictionary(uniqueKeysWithValues: names.map { ($0, .data(Data(repeating: 0xAB, count: 32))) }))
    metadata.values[StoreMetadata.Key.digest] = nil
    metadata.values[StoreMetadata.Key.checksum] = nil
    change(&metadata.values)
    try SQLiteLayout.writeMetadata(connection, metadata)
  }
}
