import GraphStoreModel

extension PersistentStoreCoordinator {
  /// Opens a store under the coordinator's model; one of another version is migrated first where the options say so.
  ///
  /// One migration is tried at most (MIG-028).
  ///
  /// - Throws: as ``open(storeAt:options:model:classes:)``, and as ``StoreMigration/run()``.
  func openMigrating(_ path: String, _ options: StoreOptions) throws -> SQLiteStore {
    do {
      return try SQLiteStore.open(path, options, model: managedObjectModel, layout: layout)
    } catch let error as GraphStoreError where error.code == .incompatibleModel {
      guard options.migratesAutomatically else { throw error }
      guard !options.isReadOnly else { throw Self.readOnly(error, path) }
      try migrate(path, options)
    }
    do {
      return try SQLiteStore.open(path, options, model: managedObjectModel, layout: layout)
    } catch let error as GraphStoreError where error.code == .incompatibleModel {
      var failure = GraphStoreError(
        .migrationFailed, "\(path) was migrated and still does not fit the model.",
        remedy: "Report this; the model that the store carries opens it.", underlying: error)
      failure.details = error.details
      throw failure
    }
  }

  private func migrate(_ path: String, _ options: StoreOptions) throws {
    let versions = try options.modelVersionsPath.flatMap { path in
      let versions = try ModelVersions(at: ModelReference(path).path)
      return versions.format.hasVersions ? versions : nil
    }
    let plan = try MigrationPlan(
      fromStoreAt: path, to: ModelVersion(managedObjectModel), in: versions,
      configuration: options.configuration, allowsInference: options.infersMapping, timeout: options.timeout)
    var migration = MigrationOptions()
    migration.keepsBackup = options.keepsMigrationBackup ? true : nil
    migration.timeout = options.timeout
    migration.log = Diagnostics.migrationLog
    _ = try StoreMigration(plan, options: migration).run()
  }

  private static func readOnly(_ error: GraphStoreError, _ path: String) -> GraphStoreError {
    var failure = error
    failure.message =
      "\(path) is of another version than the model, and is opened for reading only: it is not migrated."
    failure.remedy = "Open it for writing, which migrates it, or with the model that it carries."
    return failure
  }
}
