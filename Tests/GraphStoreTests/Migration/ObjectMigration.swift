import Foundation
import GraphStoreTestSupport

@testable import GraphStore

/// A store that is migrated object by object, with both models, in a folder that goes with it.
final class ObjectMigration {
  let folder: URL
  let source: URL
  let destination: URL
  let sourceModel: ManagedObjectModel
  let destinationModel: ManagedObjectModel
  let manager: MigrationManager
  /// Mappings that a test keeps with it.
  var mappings: [EntityMapping] = []
  private var opened: [PersistentStoreCoordinator] = []
  private var contexts: [ManagedObjectContext] = []

  /// Makes the source and fills it.
  init(
    from old: ModelDefinition, to new: ModelDefinition,
    _ fill: (ManagedObjectContext) throws -> Void = { _ in }
  ) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "graphstore-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    source = folder.appending(path: "old.db")
    destination = folder.appending(path: "new.db")
    sourceModel = try ManagedObjectModel(old)
    destinationModel = try ManagedObjectModel(new)
    manager = MigrationManager(sourceModel: sourceModel, destinationModel: destinationModel)
    let coordinator = try PersistentStoreCoordinator.create(storeAt: source.path, model: sourceModel)
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    try fill(context)
    try context.save()
  }

  deinit {
    for coordinator in opened { coordinator.close() }
    try? FileManager.default.removeItem(at: folder)
  }

  /// Migrates by entity mappings, and opens the result.
  func migrate(_ mappings: [EntityMapping] = [], isComplete: Bool = false) throws -> ManagedObjectContext {
    try run(mappings, isComplete: isComplete)
    return try open(destination)
  }

  func run(_ mappings: [EntityMapping] = [], isComplete: Bool = false) throws {
    try manager.migrateStore(
      from: source, mapping: MappingModel(entityMappings: mappings, isComplete: isComplete), to: destination)
  }

  /// What a migration that has to fail throws.
  func failure(_ mappings: [EntityMapping] = []) throws -> GraphStoreError? {
    do { try run(mappings) } catch let error as GraphStoreError { return error }
    return nil
  }

  func open(_ url: URL) throws -> ManagedObjectContext {
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: url.path, model: url == source ? sourceModel : destinationModel)
    opened.append(coordinator)
    let context = ManagedObjectContext(coordinator: coordinator)
    contexts.append(context)
    return context
  }

  /// What lies in the folder, but for the side files of the source that its reader has made.
  var names: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []
    return names.filter { $0 != "old.db-shm" && $0 != "old.db-wal" }
  }
}

extension PropertyMapping {
  /// A property whose value is the text of an expression.
  static func value(_ name: String, _ text: String) throws -> PropertyMapping {
    PropertyMapping(name, .expression(try QueryExpression(parsing: text)))
  }

  /// A relationship with the objects that a mapping made.
  static func members(_ name: String, of mapping: String, from text: String) throws -> PropertyMapping {
    PropertyMapping(name, .objects(ofMapping: mapping, from: try QueryExpression(parsing: text)))
  }
}
