import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Synchronization
import Testing

@testable import GraphStore

@Suite("Adding stores to a coordinator", .serialized)
struct MountingTests {
  private let folder: LayoutFolder
  private let coordinator: PersistentStoreCoordinator

  init() throws {
    folder = try LayoutFolder()
    coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(TestModels.company()))
  }

  @Test(
    "STO-019, STO-024: a file that is missing is made, one that exists is opened; the list has the order of adding"
  )
  func adding() throws {
    let second = try coordinator.addStore(at: folder.file("b"))
    let first = try coordinator.addStore(at: folder.file("a"))
    #expect(coordinator.persistentStores == [second, first])
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.insert("Department", ["name": "D"])
    try context.save()
    coordinator.close()
    let again = PersistentStoreCoordinator(model: coordinator.managedObjectModel)
    #expect(again.persistentStores.isEmpty)
    let opened = try again.addStore(at: folder.file("b"))
    #expect(opened.identifier == second.identifier && opened != second)
    #expect(try ManagedObjectContext(coordinator: again).all("Department").count == 1)
    again.close()
  }

  @Test("STO-019, STO-023: what cannot be opened leaves the list as it was, and no folder is made")
  func failures() throws {
    try coordinator.addStore(at: folder.file("a"))
    try Data("no store".utf8).write(to: URL(fileURLWithPath: folder.file("text")))
    let other = try PersistentStoreCoordinator.create(
      storeAt: folder.file("other"), model: ManagedObjectModel(TestModels.types))
    other.close()
    let before = try folder.state()
    #expect(code { try coordinator.addStore(at: folder.file("text")) } == .notAStore)
    #expect(code { try coordinator.addStore(at: folder.file("other")) } == .incompatibleModel)
    #expect(code { try coordinator.addStore(at: folder.file("none/s")) } != nil)
    #expect(
      code { try coordinator.addStore(at: folder.file("new"), options: StoreOptions(isReadOnly: true)) }
        == .storeNotFound)
    #expect(coordinator.persistentStores.map(\.path) == [folder.file("a")])
    #expect(try folder.state() == before)
  }

  @Test("STO-020: an unknown configuration is found before any file is touched")
  func configuration() throws {
    let error = failure { try coordinator.addStore(at: folder.file("a"), configuration: "Nobody") }
    #expect(error?.code == .unknownConfiguration && error?.number == 136008)
    #expect(
      code { try coordinator.addStore(at: "/no/folder/s", configuration: "Nobody") } == .unknownConfiguration)
    #expect(try folder.state().isEmpty)
  }

  @Test("STO-025, STO-033: all spellings of a path find the same store, and its URL is the resolved one")
  func paths() throws {
    let folders = FileManager.default
    try folders.createDirectory(atPath: folder.file("real"), withIntermediateDirectories: false)
    try folders.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: folder.file("real"))
    let store = try coordinator.addStore(at: folder.file("link/s.db"))
    try folders.createSymbolicLink(
      atPath: folder.file("direct"), withDestinationPath: folder.file("real/s.db"))
    for path in ["real/s.db", "link/s.db", "direct", "real/../link/./s.db", "real//s.db"] {
      #expect(coordinator.persistentStore(for: folder.file(path)) == store, "\(path)")
      #expect(code { try coordinator.addStore(at: folder.file(path)) } == .storeAlreadyOpen, "\(path)")
    }
    #expect(coordinator.persistentStore(for: URL(fileURLWithPath: folder.file("direct"))) == store)
    #expect(coordinator.persistentStore(for: folder.file("real/other.db")) == nil)
    #expect(coordinator.persistentStore(for: folder.file("none/s.db")) == nil)
    #expect(try coordinator.url(for: store).path == ResolvedPath.of(folder.path) + "/real/s.db")
    #expect(coordinator.persistentStores.count == 1)
  }

  @Test("STO-025: a path without a folder is one in the working folder")
  func relativePath() throws {
    let name = "graphstore-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: name) }
    let store = try coordinator.addStore(at: name)
    #expect(coordinator.persistentStore(for: FileManager.default.currentDirectoryPath + "/" + name) == store)
    #expect(coordinator.persistentStore(for: "./" + name) == store)
    coordinator.close()
  }

  @Test("STO-026: a copy of a store is refused by its UUID, and the message names both paths")
  func copies() throws {
    try coordinator.addStore(at: folder.file("a"))
    coordinator.close()
    try FileManager.default.copyItem(atPath: folder.file("a"), toPath: folder.file("copy"))
    let first = try coordinator.addStore(at: folder.file("a"))
    let error = failure { try coordinator.addStore(at: folder.file("copy")) }
    #expect(error?.code == .storeAlreadyOpen && error?.number == 136006)
    #expect(error?.message.contains(folder.file("a")) == true)
    #expect(error?.message.contains(folder.file("copy")) == true)
    #expect(coordinator.persistentStores == [first])
    // Nothing holds the copy open.
    let other = try PersistentStoreCoordinator.open(storeAt: folder.file("copy"))
    other.close()
  }

  @Test("STO-026: of many threads that add one file, one succeeds")
  func race() throws {
    let (path, coordinator) = (folder.file("a"), coordinator)
    let codes = Mutex<[GraphStoreError.Code?]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let found = code { try coordinator.addStore(at: path) }
      codes.withLock { $0.append(found) }
    }
    #expect(coordinator.persistentStores.count == 1)
    #expect(codes.withLock { $0.count { $0 == nil } } == 1)
  }

  @Test("STO-027: two coordinators have one file, and what one saves the other reads")
  func twoCoordinators() throws {
    let other = PersistentStoreCoordinator(model: coordinator.managedObjectModel)
    defer { other.close() }
    try coordinator.addStore(at: folder.file("a"))
    try other.addStore(at: folder.file("a"))
    let contexts = [coordinator, other].map { ManagedObjectContext(coordinator: $0) }
    let object = try contexts[0].insert("Department", ["name": "D"])
    try contexts[0].save()
    let read = try contexts[1].all("Department")[0]
    #expect(try read.string("name") == "D")
    // STO-028: an identifier finds its way to another coordinator by its URI.
    let id = other.managedObjectID(forURIRepresentation: object.objectID.uriRepresentation)
    #expect(id == read.objectID)
    #expect(object.objectID == read.objectID)
    #expect(try contexts[1].existingObject(with: object.objectID) === read)
  }

  @Test(
    "STO-028, OBJ-114, OBJ-520: an identifier finds its record under a model with another order of entities, and no other record"
  )
  func otherOrder() throws {
    var definition = TestModels.company()
    definition.entities.reverse()
    let other = PersistentStoreCoordinator(model: try ManagedObjectModel(definition))
    defer { other.close() }
    try coordinator.addStore(at: folder.file("a"))
    try other.addStore(at: folder.file("a"))
    let contexts = [coordinator, other].map { ManagedObjectContext(coordinator: $0) }
    let made = try ["Department", "Desk", "Employee", "Project"].map {
      try contexts[0].insert($0, ["name": $0])
    }
    try contexts[0].save()
    for object in made {
      let found = try contexts[1].existingObject(with: object.objectID)
      #expect(try found.string("name") == object.entity.name)
      #expect(made.filter { $0.objectID == found.objectID }.allSatisfy { $0 === object })
    }
  }

  @Test("STO-037, STO-033: a store tells what it is")
  func description() throws {
    let model = try ManagedObjectModel(Self.divided())
    let coordinator = PersistentStoreCoordinator(model: model)
    let store = try coordinator.addStore(at: folder.file("a"), configuration: "Left")
    #expect(store.typeName == "SQLite" && store.configurationName == "Left" && !store.isReadOnly)
    #expect(store.options.configuration == "Left" && store.options.timeout == StoreOptions.defaultTimeout)
    #expect(store.path == folder.file("a") && store.url.isFileURL && store.coordinator === coordinator)
    #expect(store.identifier.uuidString == coordinator.storeIdentifier)
    #expect(try store.metadata()["NSStoreUUID"] == .string(store.identifier.uuidString))
    try coordinator.remove(store)
    #expect(store.coordinator == nil && coordinator.persistentStores.isEmpty)
    #expect(code { _ = try coordinator.url(for: store) } == .unknownStore)
    let reading = try coordinator.addStore(
      at: folder.file("a"), options: StoreOptions(isReadOnly: true, configuration: "Left"))
    #expect(reading.options.isReadOnly && reading.isReadOnly && Set([store, reading]).count == 2)
    coordinator.close()
  }

  // MARK: Configurations

  /// People and their guests on the left, things on the right.
  static func divided() -> ModelDefinition {
    ModelDefinition(
      name: "Divided",
      entities: [
        EntityDefinition(
          "Person", attributes: [AttributeDefinition("name", .string)],
          relationships: [RelationshipDefinition("things", to: "Thing", inverse: "owner", isToMany: true)]),
        EntityDefinition("Guest", parent: "Person", attributes: [AttributeDefinition("host", .string)]),
        EntityDefinition("Robot", parent: "Person", attributes: [AttributeDefinition("maker", .string)]),
        EntityDefinition(
          "Thing", attributes: [AttributeDefinition("name", .string)],
          relationships: [RelationshipDefinition("owner", to: "Person", inverse: "things")]),
      ],
      configurations: [
        ConfigurationDefinition("Left", entities: ["Person", "Guest"]),
        ConfigurationDefinition("Right", entities: ["Thing"]),
        ConfigurationDefinition("Machines", entities: ["Robot"]),
        ConfigurationDefinition("People", entities: ["Person", "Guest", "Robot", "Thing"]),
      ])
  }

  @Test("STO-126, STO-138, OBJ-460: configurations send entities to stores of their own, without being told")
  func entitiesByStore() throws {
    let stack = try SeveralStores(Self.divided(), ["Left", "Right"])
    try stack.context.insert("Thing", ["name": "T"])
    try stack.context.insert("Guest", ["name": "G"])
    try stack.context.save()
    let objects = try ["Thing", "Guest"].map { try stack.context.all($0)[0].objectID }
    #expect(objects.map { stack.coordinator.managedObjectID(forShortForm: $0.shortForm) } == objects)
    let ids = objects.map(\.uriText)
    #expect(ids[0].contains(stack.stores[1].identifier.uuidString))
    #expect(ids[1].contains(stack.stores[0].identifier.uuidString))
    #expect(try stack.findings().isEmpty)
  }

  @Test(
    "STO-128: a store with a part of a tree has the columns of its entities, and a fetch of the root finds all"
  )
  func partsOfATree() throws {
    let stack = try SeveralStores(Self.divided(), ["Left", "Machines"])
    try stack.context.insert("Guest", ["name": "b", "host": "H"])
    try stack.context.insert("Robot", ["name": "a", "maker": "M"])
    try stack.context.insert("Person", ["name": "c"])
    try stack.context.save()
    let found = try stack.newContext().all("Person", sort: ["name"])
    #expect(found.map(\.entity.name) == ["Robot", "Guest", "Person"])
    #expect(try found[0].string("maker") == "M" && found[1].string("host") == "H")
    let columns = try (0..<2).map { number in
      let connection = try SQLiteConnection(path: stack.path(number), mode: .readOnly)
      defer { connection.close() }
      return try connection.string("SELECT group_concat(name) FROM pragma_table_info('ZPERSON')") ?? ""
    }
    #expect(columns[0].contains("ZHOST") && !columns[0].contains("ZMAKER"))
    #expect(columns[1].contains("ZMAKER") && !columns[1].contains("ZHOST") && columns[1].contains("ZNAME"))
  }

  @Test(
    "STO-127, REL-159: a relationship whose ends lie only in different stores is told once the second is added"
  )
  func separation() throws {
    func separations(_ configurations: [String]) throws -> [[String]] {
      let stack = try SeveralStores(Self.divided(), configurations)
      let stores = stack.coordinator.mounts.map(\.store)
      return stores.indices.map { number in
        stack.coordinator.separations(by: stores[number], stores[..<number]).map(\.message)
      }
    }
    let found = try separations(["Left", "Right"])
    #expect(found[0].isEmpty)
    #expect(found[1] == ["Thing.owner leads to Person, and no open store holds both entities."])
    #expect(try separations(["People", "Right"]) == [[], []])
    #expect(try separations(["Left", "Machines"]) == [[], []])
  }

  @Test("STO-247: stores whose objects hold different attributes are not opened under one coordinator")
  func composites() throws {
    let model = try ManagedObjectModel(
      ModelDefinition(entities: [
        EntityDefinition(
          "Photo",
          attributes: [AttributeDefinition("data", .composite, elements: [AttributeDefinition("x", .int16)])])
      ]))
    var metadata = StoreMetadata(model: model)
    metadata.values[StoreMetadata.Key.format] = nil
    metadata.values[StoreMetadata.Key.model] = nil
    try SQLiteLayout.create(at: folder.file("apple"), schema: SQLSchema(model: model), metadata: metadata)
      .close()
    let own = PersistentStoreCoordinator(model: model)
    defer { own.close() }
    try own.addStore(at: folder.file("own"))
    #expect(failure { try own.addStore(at: folder.file("apple")) }?.code == .notSupported)
    let apple = try PersistentStoreCoordinator.open(storeAt: folder.file("apple"), model: model)
    defer { apple.close() }
    let error = failure { try apple.addStore(at: folder.file("new")) }
    #expect(error?.code == .notSupported && error?.remedy.contains("coordinator of its own") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.file("new")))
    #expect(own.persistentStores.count == 1 && apple.persistentStores.count == 1)
  }
}
