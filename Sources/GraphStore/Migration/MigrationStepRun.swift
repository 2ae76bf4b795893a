import Foundation
import GraphStoreModel
import GraphStoreSQLite

/// One step of a migration, from a complete store into a temporary one.
struct MigrationStepRun {
  let step: MigrationStep
  /// Whether no other step follows.
  let isLast: Bool
  let sourcePath: String
  /// The path of the store that is migrated, for messages.
  let storePath: String
  let store: TemporaryStore
  let stored: StoredVersion
  /// The metadata of the store that is migrated.
  let metadata: StoreMetadata
  let identifier: UUID
  let options: MigrationOptions
  /// Called with what inexact conversion changes, where there is something.
  let onInexact: ([MigrationFinding]) -> Void

  /// Fills the store, checks it and makes it durable.
  ///
  /// - Returns: The number of objects by the names of new entities.
  func run(
    progress: (Double) throws -> Void, isCancelled: @escaping () -> Bool
  ) throws -> [String: Int] {
    if options.usesStoreSpecificMigrationManager, let run = try setBased() {
      return try self.run(run, progress: progress, isCancelled: isCancelled)
    }
    return try byObjects(progress: progress)
  }

  /// Object by object, by the mappings of the step.
  private func byObjects(progress: (Double) throws -> Void) throws -> [String: Int] {
    let manager = MigrationManager(
      sourceModel: step.source.model, destinationModel: step.destination.model)
    manager.batchSize = options.batchSize
    manager.allowsInexactConversion = options.allowsInexactConversion
    manager.log = options.log
    manager.storePath = storePath
    manager.onInexact = onInexact
    func opening(_ model: ManagedObjectModel) -> StoreOptions {
      StoreOptions(timeout: options.timeout, configuration: stored.entities(of: model).configuration)
    }
    let counts = try withoutActuallyEscaping(progress) { progress in
      manager.onProgress = progress
      defer { manager.onProgress = nil }
      return try manager.migrateStore(
        at: sourcePath, nil, opening(step.source.model), parts: step.mappings, to: store.path, nil,
        opening(step.destination.model), identifier: identifier)
    }
    try takeOverForeignParts(step.kind == .written ? nil : step.difference.pairing)
      ? store.finish() : store.flush()
    return counts
  }

  // MARK: Statements over sets

  /// The step as statements over sets; nil for written mappings that ask for more, or whose data break a
  /// rule: the migration by objects reports which it is.
  private func setBased() throws -> SQLiteSetBasedStep? {
    guard step.kind == .written else { return setBased(step.difference.pairing) }
    guard !options.allowsInexactConversion, let pairing = WrittenPairing(step.mappings) else { return nil }
    var run = setBased(pairing)
    run.isChecked = try run.findings().isEmpty
    return run.isChecked ? run : nil
  }

  private func setBased(_ pairing: any MigrationPairing) -> SQLiteSetBasedStep {
    let destination = stored.entities(of: step.destination.model)
    var run = SQLiteSetBasedStep(
      sourcePath: sourcePath, storePath: storePath, source: stored.entities(of: step.source.model),
      destination: destination,
      metadata: StoreMetadata(migrating: metadata, to: destination, identifier: identifier), pairing: pairing)
    run.allowsInexact = options.allowsInexactConversion
    // Core Data makes no indexes later.
    run.defersIndexes = isLast && options.defersIndexes && destination.coreDataHashes == nil
    run.timeout = options.timeout
    run.onInexact = onInexact
    if options.log.level >= .statements {
      let log = options.log
      run.onStatement = { statement in log.write(.statements, statement) }
    }
    return run
  }

  private func run(
    _ run: SQLiteSetBasedStep, progress: (Double) throws -> Void, isCancelled: @escaping () -> Bool
  ) throws -> [String: Int] {
    let destination = run.destination
    let counts = try run.run(into: store.path, progress: progress, isCancelled: isCancelled)
    _ = try takeOverForeignParts(step.kind == .written ? nil : step.difference.pairing)
    try StoreRegistry.open(
      store.path, StoreOptions(isReadOnly: true, configuration: destination.configuration),
      .model(step.destination.model)
    ).close()
    try store.finish()
    return counts
  }
}

extension StoreMetadata {
  /// The metadata of a migrated store: what programs noted stays, the rest is that of the new version
  /// (MIG-273).
  init(migrating old: StoreMetadata, to stored: StoredEntities, identifier: UUID) {
    self.init(identifier: identifier, stored)
    for (key, value) in old.userValues { values[key] = value }
    if let indexes = try? SQLiteIndexedFunctions.indexes(SQLSchema(stored)), !indexes.isEmpty {
      values[Key.functions] = SQLiteIndexedFunctions.version
    }
  }
}
