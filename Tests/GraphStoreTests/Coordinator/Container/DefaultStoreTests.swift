import Foundation
import Testing

@testable import GraphStore

/// Stores that a program ships, and puts in place before its first start.
@Suite("Default stores")
struct DefaultStoreTests {
  private let place: ContainerFolder
  private var shipped: URL { place.url("shipped.sqlite") }

  init() throws {
    place = try ContainerFolder()
    try ship(ContainerFolder.model())
  }

  private func ship(_ model: ManagedObjectModel) throws {
    try? FileManager.default.removeItem(at: shipped)
    let context = ManagedObjectContext(
      coordinator: try .create(storeAt: shipped.path, model: model), concurrencyType: .privateQueue)
    try context.performAndWait {
      try context.insert("Department", ["name": "Shipped"])
      try context.save()
      #expect(!context.hasChanges)
    }
    context.coordinator.close()
    // Programs are installed where their users may not write.
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: shipped.path)
  }

  private func names(_ container: PersistentContainer) throws -> [String] {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      try context.all("Department", sort: ["name"]).compactMap { try $0.string("name") }
    }
  }

  @Test(
    "STO-315, PAT-174, PAT-175: it is put where nothing is, can be written there, and stays as users change it"
  )
  func install() throws {
    let container = try place.container("s.db")
    #expect(try container.installDefaultStore(from: shipped))
    let mode = try FileManager.default.attributesOfItem(atPath: place.url("s.db").path)[.posixPermissions]
    #expect((mode as? Int).map { $0 & 0o200 } == 0o200)
    #expect(container.loadOne() == nil)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      try context.insert("Department", ["name": "Users'"])
      try context.save()
    }
    #expect(try !container.installDefaultStore(from: shipped))
    container.persistentStoreCoordinator.close()
    let next = try place.container("s.db")
    #expect(try !next.installDefaultStore(from: shipped))
    #expect(next.loadOne() == nil)
    #expect(try names(next) == ["Shipped", "Users'"])
  }

  @Test("STO-315: what is at the place is left alone, whatever it is")
  func taken() throws {
    for content in ["", "precious"] {
      try Data(content.utf8).write(to: place.url("s.db"))
      #expect(try !place.container("s.db").installDefaultStore(from: shipped))
      #expect(try Data(contentsOf: place.url("s.db")) == Data(content.utf8))
    }
  }

  @Test("STO-315: what is wrong with the shipped store is told, and nothing is installed")
  func refused() throws {
    let container = try place.container("s.db")
    _ = try expectFailure(.storeNotFound) { try container.installDefaultStore(from: place.url("none")) }
    try Data("text".utf8).write(to: place.url("text"))
    _ = try expectFailure(.notAStore) { try container.installDefaultStore(from: place.url("text")) }
    let before = try place.state().keys.sorted()
    let elsewhere = try place.container("nowhere/s.db")
    _ = try expectFailure(.migrationDestination) { try elsewhere.installDefaultStore(from: shipped) }
    #expect(try place.state().keys.sorted() == before)
  }

  @Test("PAT-176: one that was shipped with an older model is migrated when it is loaded")
  func older() throws {
    let container = PersistentContainer(
      name: "Tests",
      model: try ContainerFolder.model { model in
        model.entities[0].attributes.append(AttributeDefinition("since", .date))
      })
    container.persistentStoreDescriptions = [PersistentStoreDescription(url: place.url("s.db"))]
    #expect(try container.installDefaultStore(from: shipped))
    #expect(container.loadOne() == nil)
    #expect(try names(container) == ["Shipped"])
    #expect(try Data(contentsOf: shipped).count > 0)
  }
}
