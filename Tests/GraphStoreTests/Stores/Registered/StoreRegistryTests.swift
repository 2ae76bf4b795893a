import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStore

/// A type of store that no file of the library names.
@Suite("Registered types of stores", .serialized)
struct StoreRegistryTests {
  private let folder: TemporaryFolder
  private let driver = LedgerDriver()
  private let model: ManagedObjectModel

  init() throws {
    folder = try TemporaryFolder()
    model = try ManagedObjectModel(TestModels.company())
    StoreRegistry.register(driver)
  }

  private func path(_ name: String) -> String { folder.file(name) }

  private func make(_ name: String) throws -> PersistentStoreCoordinator {
    var options = StoreOptions()
    options.type = driver.type
    return try .create(storeAt: path(name), model: model, options: options)
  }

  @Test("a store of a registered type is made, saved to, found again by its file, fetched from and explained")
  func everyday() throws {
    let coordinator = try make("made")
    let context = ManagedObjectContext(coordinator: coordinator)
    let department = try context.insert("Department", ["name": "Tools"])
    for salary in [1, 2, 3] {
      try context.insert("Employee", ["name": "E\(salary)", "salary": salary, "department": department])
    }
    try context.save()
    let again = ManagedObjectContext(coordinator: try .open(storeAt: path("made")))
    let request = FetchRequest(
      entityName: "Employee",
      predicate: try QueryPredicate(parsing: "department.name == 'Tools' AND salary > 1"),
      sortDescriptors: [try QuerySortDescriptor(parsing: "salary:desc")])
    #expect(try again.fetch(request).compactMap { try $0.string("name") } == ["E3", "E2"])
    #expect(try again.count(for: request) == 2)
    #expect(try again.explain(request).scans.map(\.objects) == [3])
    try again.delete(again.all("Department")[0])
    try again.save()
    #expect(again.coordinator.persistentStores.map(\.typeName) == ["Ledger"])
  }

  @Test("a container loads it, metadata are read and changed by location, and files of others are told apart")
  func container() async throws {
    let container = PersistentContainer(name: "Ledger", model: model)
    var description = PersistentStoreDescription(url: URL(fileURLWithPath: path("loaded")))
    description.type = driver.type
    container.persistentStoreDescriptions = [description]
    try await container.loadPersistentStores()
    let url = URL(fileURLWithPath: path("loaded"))
    try PersistentStoreCoordinator.setMetadata(["note": .string("x")], forPersistentStoreAt: url)
    #expect(
      try PersistentStoreCoordinator.metadataForPersistentStore(at: url, type: driver.type)["note"]
        == .string("x"))
    #expect(StoreType.detected(at: url.path) == driver.type)
    _ = try expectFailure(.storeTypeMismatch) {
      _ = try PersistentStoreCoordinator.metadataForPersistentStore(at: url, type: .sqlite)
    }
    #expect(StoreRegistry.types.contains(.sqlite) && StoreRegistry.types.contains(driver.type))
  }

  @Test("beside a SQLite store it is one of several, and what neither type has is refused by its own error")
  func several() throws {
    let coordinator = try make("one")
    try coordinator.addStore(at: path("two.db"))
    let context = ManagedObjectContext(coordinator: coordinator)
    for (number, store) in coordinator.persistentStores.enumerated() {
      let object = try context.insert("Department", ["name": "D\(number)"])
      try context.assign(object, to: store)
    }
    try context.save()
    #expect(try context.all("Department", sort: ["name"]).map { try $0.string("name") } == ["D0", "D1"])
    _ = try expectFailure(.notSupported) {
      try coordinator.setURL(URL(fileURLWithPath: path("moved")), for: coordinator.persistentStores[0])
    }
  }
}
