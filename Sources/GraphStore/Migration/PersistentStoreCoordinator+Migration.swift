import GraphStoreModel

extension PersistentStoreCoordinator {
  /// Opens a store under a model; one of another version is migrated first where the options say so.
  ///
  /// One migration is tried at most (MIG-028).
  ///
  /// - Throws: as ``open(storeAt:options:model:classes:)``, and as ``StoreMigration/run()``.
  static func openMigrating(
    _ path: String, _ options: StoreOptions, model: ManagedObjectModel, _ use: StoreUse = StoreUse()
  ) throws -> any PersistentStore {
    do {
      return try StoreRegistry.open(path, options, .model(model), use)
    } catch let error as GraphStoreError where error.code == .incompatibleModel {
      guard options.migratesAutomatically else { throw error }
      guard StoreRegistry.isMigrated(options.type, at: path) else { throw error }
      guard !options.isReadOnly else { throw Self.readOnly(error, path) }
      try migrate(path, options, to: model)
    }
    do {
      return try StoreRegistry.open(path, options, .model(model), use)
    } catch let error as GraphStoreError where error.code == .incompatibleModel {
      var failure = GraphStoreError(
        .migrationFailed, "\(path) was migrated and still does not fit the model.",
        remedy: "Report this; the model that the store carries opens it.", underlying: error)
      failure.details = error.details
      throw failure
    }
  }

  private static func migrate(_ path: String, _ options: StoreOptions, to model: ManagedObjectModel) throws {
    let plan = try plan(path, options, to: ModelVersion(model))
    var migration = MigrationOptions()
    migration.keepsBackup = options.keepsMigrationBackup ? true : nil
    migration.defersIndexes = options.defersLightweightMigration
    migration.timeout = options.timeout
    _ = try StoreMigration(plan, options: migration).run()
  }

  /// The way to a model: by the stages of the options, else the one that is found.
  private static func plan(
    _ path: String, _ options: StoreOptions, to target: ModelVersion
  ) throws -> MigrationPlan {
    if let stages = options.stagedMigrationManager {
      return try stages.plan(
        forStoreAt: path, to: target, configuration: options.configuration, timeout: options.timeout)
    }
    let versions = try options.modelVersionsPath.flatMap { path in
      let versions = try ModelVersions(at: ModelReference(path).path)
      return versions.format.hasVersions ? versions : nil
    }
    return try MigrationPlan(
      fromStoreAt: path, to: target, in: versions, configuration: options.configuration,
      allowsInference: options.infersMapping, timeout: options.timeout)
  }

  private static func readOnly(_ error: GraphStoreError, _ path: String) -> GraphStoreError {
    var failure = error
    failure.message =
      "\(path) is of another version than the model, and is opened for reading only: it is not migrated."
    failure.remedy = "Open it for writing, which migrates it, or with the model that it carries."
    return failure
  }
}

// MARK: Deferred work

extension PersistentStoreCoordinator {
  /// Does all that migrations have left for later in the stores that can be written.
  ///
  /// With nothing left it returns at once. It takes the time of reading the tables once for each index that
  /// is made; results of requests are the same before and after.
  ///
  /// - Throws: `store-timeout`, `disk-full`; nothing of the store concerned has changed then.
  public func finishDeferredLightweightMigration() throws {
    for store in try deferredStores() { try Self.finishDeferred(store, onePiece: false) }
  }

  /// Does one piece of what migrations have left for later: one index.
  ///
  /// With nothing left it returns at once. Remaining work survives the end of the program.
  ///
  /// - Returns: Whether something is left.
  /// - Throws: as ``finishDeferredLightweightMigration()``.
  @discardableResult
  public func finishDeferredLightweightMigrationTask() throws -> Bool {
    guard let store = try deferredStores().first else { return false }
    try Self.finishDeferred(store, onePiece: true)
    return try !deferredStores().isEmpty
  }

  /// The stores in which something is left, found without the lock of a writer.
  private func deferredStores() throws -> [any PersistentStore] {
    try mounts.map(\.store).filter { store in
      try !store.isReadOnly && store.read { try $0.metadata()[StoreMetadata.Key.deferred] != nil }
    }
  }

  private static func finishDeferred(_ store: any PersistentStore, onePiece: Bool) throws {
    try store.write { session in
      try (session as? any IndexWritingSession)?.finishDeferredMigration(onePiece: onePiece)
    }
  }
}
