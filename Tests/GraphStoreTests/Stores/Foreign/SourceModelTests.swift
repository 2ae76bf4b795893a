import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

@Suite("Compiled models and their sources")
struct SourceModelTests {
  @Test(
    "MDL-335: the model cached in a store says what its source says", .enabled(if: AppleStores.folder != nil),
    arguments: ForeignFolder.names)
  func source(_ name: String) throws {
    let folder = try ForeignFolder([name + ".moody"])
    let stores = try #require(AppleStores.folder)
    let versions = try ModelVersions(at: stores + "/../models/Moody.xcdatamodeld")
    let source: ManagedObjectModel
    do throws(ModelError) {
      source = try versions.model(named: name)
    } catch {
      // Xcode's models are read by another part of the library, or not at all.
      guard error.problems.first?.code == .unreadable else { throw error }
      return
    }
    let cached = try StoreModel.load(fromStoreAt: folder.file(name + ".moody")).model
    #expect(Self.normalised(cached.definition) == Self.normalised(source.definition))
    #expect(cached.entityVersionHashesByName == source.entityVersionHashesByName)
  }

  /// A definition in one order, without what only one of both forms says: names of classes and versions,
  /// which these applications set in code, and what only Xcode's editor knows.
  private static func normalised(_ definition: ModelDefinition) -> ModelDefinition {
    var definition = definition
    definition.name = nil
    definition.version = nil
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
