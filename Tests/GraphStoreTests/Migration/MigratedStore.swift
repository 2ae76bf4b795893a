import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite
import Testing

@testable import GraphStore

/// A store that a test migrates, in a folder of its own.
final class MigratedStore: @unchecked Sendable {
  let folder: TemporaryFolder
  let path: String

  /// Makes a store, and closes it.
  init(
    _ model: ModelDefinition, options: StoreOptions = StoreOptions(), name: String = "store.sqlite",
    fill: (ManagedObjectContext) throws -> Void = { _ in }
  ) throws {
    folder = try TemporaryFolder()
    path = folder.file(name)
    try open(model, options, fill)
  }

  /// Opens it under a model, and closes it again.
  @discardableResult
  func open<Result>(
    _ model: ModelDefinition, _ options: StoreOptions = StoreOptions(), at other: String? = nil,
    _ body: (ManagedObjectContext) throws -> Result
  ) throws -> Result {
    let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(model))
    try coordinator.addStore(at: other ?? path, options: options)
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    let result = try body(context)
    if context.hasChanges { try context.save() }
    return result
  }

  func plan(to model: ModelDefinition, checksData: Bool = false) throws -> MigrationPlan {
    try MigrationPlan(
      fromStoreAt: path, to: ModelVersion(ManagedObjectModel(model)), checksData: checksData)
  }

  @discardableResult
  func migrate(
    to model: ModelDefinition, _ change: (inout MigrationOptions) -> Void = { _ in }
  ) throws -> MigrationResult {
    var options = MigrationOptions()
    change(&options)
    return try StoreMigration(plan(to: model), options: options).run()
  }

  /// Migrates, and gives what is there then.
  func migrated(
    to model: ModelDefinition, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout MigrationOptions) -> Void = { _ in }
  ) throws -> [String] {
    try migrate(to: model, change)
    try expectWhole(model, sourceLocation: sourceLocation)
    return try contents(model)
  }

  /// Replaces the model that the store carries, or takes it away.
  func setCarriedModel(_ text: String?) throws {
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    defer { connection.close() }
    var metadata = try SQLiteLayout.readMetadata(connection)
    metadata.values[StoreMetadata.Key.model] = text.map { .string($0) }
    try SQLiteLayout.writeMetadata(connection, metadata)
  }

  // MARK: Looking

  /// Expects a store that no check finds anything in, with the tables and indexes of a new one, and nothing
  /// beside it that a migration left.
  ///
  /// - Parameter pairs: The entities whose to-many relationships without inverse have a table of pairs, as no
  ///   new store has; nil to take those that have one.
  func expectWhole(
    _ model: ModelDefinition, at other: String? = nil, pairs: [String]? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let path = other ?? path
    let findings = try StoreCheck.run(path: path).flatMap(\.findings)
    #expect(findings.isEmpty, sourceLocation: sourceLocation)
    let new = folder.file("new-\(UUID().uuidString)")
    let made = try ManagedObjectModel(model)
    let paired =
      try pairs.map {
        try $0.flatMap { try made.entity(named: $0).relationships }.filter { $0.inverse == nil }
      }
      ?? Self.pairsWithoutInverse(made, in: path)
    try SQLiteStore.create(new, StoreOptions(), model: made, keepingPairsOf: Set(paired)).close()
    #expect(try Self.schema(of: path) == Self.schema(of: new), sourceLocation: sourceLocation)
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: new + suffix) }
    #expect(leftovers.isEmpty, sourceLocation: sourceLocation)
  }

  private static func pairsWithoutInverse(
    _ model: ManagedObjectModel, in path: String
  ) throws -> [RelationshipDescription] {
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    defer { connection.close() }
    let header = try StoreHeader.read(connection).get()
    let schema = try SQLSchema(
      StoredEntities(model), entityNumbers: header.entityNumbers, existingTables: header.existingTables)
    return schema.joinTables.filter { $0.form == .oneWay }.map(\.relationship)
  }

  /// The tables and indexes of a store, and the numbers of its entities.
  static func schema(of path: String) throws -> [String] {
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    defer { connection.close() }
    let queries = [
      // Statistics come when a store is closed, and say nothing of its form.
      "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master "
        + "WHERE name NOT LIKE 'sqlite_stat_' ORDER BY name",
      "SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT",
    ]
    return try queries.flatMap { query in
      try connection.withStatement(query) { row in
        var lines: [String] = []
        while try row.step() { lines.append(row.string(at: 0) ?? "") }
        return lines
      }
    }
  }

  /// Every file with its content, to tell that nothing changed; but for what is beside a store that is read.
  func state() throws -> [String: Data] {
    try folder.state().filter { name, data in
      !name.hasSuffix("-shm") && !(name.hasSuffix("-wal") && data.isEmpty)
    }
  }

  /// Files of a migration that are still there.
  var leftovers: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter {
      $0.contains("-migration-")
    }
  }

  /// What the store holds: a line an object, with its properties in the order of their names.
  func contents(_ model: ModelDefinition, at other: String? = nil) throws -> [String] {
    try open(model, StoreOptions(isReadOnly: true), at: other) { try RecordLines.of($0) }
  }
}

extension ManagedObjectContext {
  /// Inserts and saves an object, so that keys are given in the order of the calls.
  @discardableResult
  func add(_ entity: String, _ values: [String: Any] = [:]) throws -> ManagedObject {
    let object = try insert(entity, values)
    try save()
    return object
  }
}

extension ModelDefinition {
  /// A model of entities.
  static func of(_ entities: EntityDefinition...) -> ModelDefinition {
    ModelDefinition(name: "Versions", entities: entities)
  }
}

/// Expects a refusal, and gives the error.
func expectFailure(
  _ code: GraphStoreError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) throws -> GraphStoreError {
  let error = try #require(throws: GraphStoreError.self, sourceLocation: sourceLocation) { try body() }
  #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
  #expect(!error.remedy.isEmpty, sourceLocation: sourceLocation)
  return error
}
