import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Models inside stores")
struct StoreModelTests {
  @Test("MDL-328: the model of a store of this library is the one it was made with")
  func own() throws {
    let stack = try TestStack(ModelDefinition(name: "One", entities: [EntityDefinition("Thing")]))
    let loaded = try StoreModel.load(fromStoreAt: stack.path)
    #expect(loaded.model.definition == stack.coordinator.managedObjectModel.definition)
    #expect(loaded.findings.isEmpty)
  }

  @Test(
    "MDL-335: models of real stores are read without anything left over",
    .enabled(if: AppleStores.folder != nil))
  func cached() throws {
    let folder = try ForeignFolder(ForeignFolder.names.map { $0 + ".moody" })
    for name in ForeignFolder.names {
      let loaded = try StoreModel.load(fromStoreAt: folder.file(name + ".moody"))
      #expect(loaded.findings.isEmpty && loaded.model.name == name, "\(loaded.findings)")
    }
  }

  @Test(
    "MDL-384: a damaged cache is an error that names the store and what to give",
    .enabled(if: AppleStores.folder != nil))
  func damaged() throws {
    let folder = try ForeignFolder(["Moody.moody"])
    let path = folder.file("Moody.moody")
    let writer = try SQLiteConnection(path: path, mode: .readWrite)
    try writer.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = substr(Z_CONTENT, 1, length(Z_CONTENT) / 2)")
    writer.close()
    let error = #expect(throws: GraphStoreError.self) { try StoreModel.load(fromStoreAt: path) }
    #expect(error?.code == .noModel && error?.message.contains("Moody.moody") == true)
    #expect(error?.remedy.contains("--model") == true)
    #expect(error?.details.first?.contains("cut short") == true)
  }

  @Test(
    "MDL-335: the model cached in a store says what its source says", .enabled(if: AppleStores.folder != nil),
    arguments: ForeignFolder.names)
  func source(_ name: String) throws {
    let folder = try ForeignFolder([name + ".moody"])
    let stores = try #require(AppleStores.folder)
    let versions = try ModelVersions(at: stores + "/../models/Moody.xcdatamodeld")
    let source = try versions.model(named: name)
    let cached = try StoreModel.load(fromStoreAt: folder.file(name + ".moody")).model
    #expect(Self.normalised(cached.definition) == Self.normalised(source.definition))
    #expect(cached.entityVersionHashesByName == source.entityVersionHashesByName)
  }

  /// A definition in one order, without what only one of both forms says: names of classes, which applications set,
  /// and what only Xcode's editor knows.
  private static func normalised(_ definition: ModelDefinition) -> ModelDefinition {
    var definition = definition
    definition.name = nil
    definition.xcode = [:]
    definition.entities.sort { $0.name < $1.name }
    for position in definition.entities.indices {
      var entity = definition.entities[position]
      entity.className = nil
      entity.xcode = [:]
      entity.attributes.sort { $0.name < $1.name }
      entity.relationships.sort { $0.name < $1.name }
      entity.indexes.sort { $0.name < $1.name }
      for position in entity.attributes.indices { entity.attributes[position].xcode = [:] }
      for position in entity.relationships.indices { entity.relationships[position].xcode = [:] }
      definition.entities[position] = entity
    }
    return definition
  }
}
