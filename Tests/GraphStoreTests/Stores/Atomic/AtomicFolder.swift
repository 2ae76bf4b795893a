import Foundation
import GraphStoreTestSupport

@testable import GraphStore

/// A folder with stores of types that are one document.
final class AtomicFolder {
  /// The types that are built.
  static let types: [StoreType] = [.json, .binary, .xml]

  let type: StoreType
  private let folder: TemporaryFolder
  /// Objects live as long as their contexts.
  private var contexts: [ManagedObjectContext] = []

  init(_ type: StoreType) throws {
    self.type = type
    folder = try TemporaryFolder()
  }

  func path(_ name: String = "store") -> String { folder.file(name) }

  func bytes(_ name: String = "store") throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  func text(_ name: String = "store") throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

  func write(_ bytes: [UInt8], to name: String = "store") throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
  }

  /// The names of all files, hidden ones too.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  func make(_ definition: ModelDefinition, _ name: String = "store") throws -> ManagedObjectContext {
    try make(ManagedObjectModel(definition), name)
  }

  func make(_ model: ManagedObjectModel, _ name: String = "store") throws -> ManagedObjectContext {
    var options = StoreOptions()
    options.type = type
    return held(try .create(storeAt: path(name), model: model, options: options))
  }

  /// Opens a store as another process does.
  func open(
    _ name: String = "store", _ options: StoreOptions = StoreOptions(), model: ManagedObjectModel? = nil
  ) throws -> ManagedObjectContext {
    held(try .open(storeAt: path(name), options: options, model: model))
  }

  private func held(_ coordinator: PersistentStoreCoordinator) -> ManagedObjectContext {
    let context = ManagedObjectContext(coordinator: coordinator)
    contexts.append(context)
    return context
  }

  /// What a store holds, as text that is the same for equal stores.
  static func content(_ context: ManagedObjectContext) throws -> [String] {
    var lines: [String] = []
    for entity in context.coordinator.managedObjectModel.entities where !entity.isAbstract {
      let request = FetchRequest(entityName: entity.name, includesSubentities: false)
      for object in try context.fetch(request).sorted(by: { $0.objectID.key < $1.objectID.key }) {
        lines.append(try line(of: object))
      }
    }
    return lines
  }

  private static func line(of object: ManagedObject) throws -> String {
    var parts = [object.objectID.shortForm]
    for property in object.entity.properties where !property.isTransient {
      if let relationship = property as? RelationshipDescription {
        let ids = try object.objectIDs(forRelationshipNamed: relationship.name).map(\.shortForm)
        parts.append("\(property.name)=\(relationship.isOrdered ? ids : ids.sorted())")
      } else if property is AttributeDescription {
        parts.append("\(property.name)=\(try object.queryValue(forKey: property.name))")
      }
    }
    return parts.joined(separator: " ")
  }
}
