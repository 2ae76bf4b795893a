import Foundation
import GraphStore
import Testing

@Suite("The model that a store carries")
struct EmbeddedModelTests {
  private let stack: TestStack

  init() throws {
    var model = TestModels.company()
    model.version = "1"
    stack = try TestStack(model)
    try stack.context.insert("Department", ["name": "Sales"])
    try stack.context.save()
    stack.coordinator.close()
  }

  private func changed() throws -> ManagedObjectModel {
    var model = TestModels.company()
    model.version = "1.1"
    model.entities[0].attributes[0].defaultValue = "New"
    model.entities[0].userInfo = ["note": "later"]
    return try ManagedObjectModel(model)
  }

  /// The definition that the file carries now.
  private func carried() throws -> ModelDefinition {
    let coordinator = try PersistentStoreCoordinator.open(storeAt: stack.path)
    defer { coordinator.close() }
    return coordinator.managedObjectModel.definition
  }

  @Test("MDL-328: a compatible model that differs outside the hash is carried from the first write on")
  func replaced() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: stack.path))
    let coordinator = try PersistentStoreCoordinator.open(storeAt: stack.path, model: changed())
    let context = ManagedObjectContext(coordinator: coordinator)
    #expect(try context.count(for: FetchRequest(entityName: "Department")) == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: stack.path)) == before)
    #expect(try carried().version == "1")
    let object = try context.insert("Department", [:])
    #expect(try object.string("name") == "New")
    try context.save()
    coordinator.close()
    #expect(try carried() == changed().definition)
  }

  @Test("MDL-328: a write that fails replaces nothing, and the next one that succeeds does")
  func failing() throws {
    let coordinator = try PersistentStoreCoordinator.open(storeAt: stack.path, model: changed())
    let context = ManagedObjectContext(coordinator: coordinator)
    let transaction = try coordinator.beginTransaction()
    try transaction.join(context)
    try context.insert("Department", ["name": "Gone"])
    try context.save()
    try transaction.rollback()
    context.reset()
    #expect(try carried().version == "1")
    try context.insert("Department", ["name": "There"])
    try context.save()
    coordinator.close()
    #expect(try carried().version == "1.1")
  }

  @Test(
    "MDL-328: a store that is only read keeps its model, and so does one opened with the model it carries")
  func kept() throws {
    let own = try ManagedObjectModel(carried())
    let before = try Data(contentsOf: URL(fileURLWithPath: stack.path))
    let reading = try PersistentStoreCoordinator.open(
      storeAt: stack.path, options: StoreOptions(isReadOnly: true), model: changed())
    _ = try ManagedObjectContext(coordinator: reading).count(for: FetchRequest(entityName: "Department"))
    reading.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: stack.path)) == before)
    let writing = try PersistentStoreCoordinator.open(storeAt: stack.path, model: own)
    let context = ManagedObjectContext(coordinator: writing)
    try context.insert("Department", ["name": "Second"])
    try context.save()
    writing.close()
    #expect(try carried() == own.definition)
  }

  @Test(
    "MDL-326, MDL-327: an incompatible model is refused with what differs, and the file stays to the byte"
  )
  func incompatible() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: stack.path))
    var model = TestModels.company()
    model.entities.append(EntityDefinition("Room"))
    model.entities.removeAll { $0.name == "Manager" }
    model.entities[1].attributes[1].type = .decimal
    model.entities[0].versionHashModifier = "2"
    let given = try ManagedObjectModel(model)
    let error = #expect(throws: GraphStoreError.self) {
      try PersistentStoreCoordinator.open(storeAt: stack.path, model: given)
    }
    #expect(error?.code == .incompatibleModel && error?.number == 134_100)
    #expect(
      error?.message.hasSuffix("added: Room; removed: Manager; changed: Department, Employee.") == true)
    #expect(
      error?.details == ["Department differs in hash modifier", "Employee differs in salary"])
    #expect(error?.remedy.isEmpty == false && error?.remedy.contains("graphstore migrate") == false)
    #expect(try Data(contentsOf: URL(fileURLWithPath: stack.path)) == before)
  }

  @Test("MDL-323: metadata records the hash of each entity, the identifiers and the number of the scheme")
  func metadata() throws {
    let coordinator = try PersistentStoreCoordinator.open(storeAt: stack.path)
    defer { coordinator.close() }
    let metadata = try coordinator.metadata()
    let hashes = coordinator.managedObjectModel.entityVersionHashesByName
    #expect(metadata["NSStoreModelVersionHashes"] == .dictionary(hashes.mapValues(Value.data)))
    #expect(metadata["NSStoreModelVersionHashesVersion"] == .int(3))
    #expect(metadata["NSStoreModelVersionIdentifiers"] == .list([.string("1")]))
  }
}
