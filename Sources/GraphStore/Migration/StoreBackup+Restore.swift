import GraphStoreModel

extension StoreBackup {
  /// Replaces a store by a copy of a backup, so that at every instant the path holds one complete store.
  ///
  /// The backup stays as it is, and is opened with the model that it carries before anything else happens.
  /// The store that it replaces becomes a backup in turn. That store may not be open in this process; other
  /// processes are waited for.
  ///
  /// ```swift
  /// let replaced = try StoreBackup.restore("hr.db.1.backup", to: "hr.db")
  /// ```
  ///
  /// - Parameters:
  ///   - backup: The path of the backup.
  ///   - path: The path of the store; there need not be one.
  ///   - timeout: How long it waits for locks that others hold.
  /// - Returns: Where the replaced store is now; nil where there was none.
  /// - Throws: What is wrong with the backup, from `store-not-found` to `store-corrupt`;
  ///   `migration-destination` for a path that is the backup's own, or in a folder that is not there;
  ///   `store-in-use`, `store-timeout`, `store-permission`, `not-a-store`, `disk-full`. The store is as it
  ///   was then.
  @discardableResult
  public static func restore(
    _ backup: String, to path: String, timeout: Duration = StoreOptions.defaultTimeout
  ) throws -> String? {
    let model = try StoreModel.load(fromStoreAt: backup, timeout: timeout).model
    try checkReading(backup, model, timeout: timeout)
    guard ResolvedPath.of(backup) != ResolvedPath.of(path) else {
      throw GraphStoreError(
        .migrationDestination, "\(backup) is the backup itself.",
        remedy: "Give the path of the store that it is to replace.")
    }
    let target = try MigrationTarget(path, from: backup, isReplacing: true, timeout: timeout)
    let source = try MigrationSource(backup, isReplaced: false, beside: target.path, timeout: timeout)
    let copy = try TemporaryStore(beside: target.path)
    try source.copy(to: copy, newIdentifier: false)
    copy.adoptAttributes(of: source.path)
    source.release()
    return try target.place(copy, keepsReplaced: true)
  }

  /// Makes sure that a store opens, and that the tables of all entities can be read: opening alone reads
  /// none.
  private static func checkReading(_ path: String, _ model: ManagedObjectModel, timeout: Duration) throws {
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: path, options: StoreOptions(isReadOnly: true, timeout: timeout), model: model)
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
    try context.performAndWait { () throws(any Error) -> Void in
      for entity in model.entities where entity.superentity == nil {
        _ = try context.count(for: FetchRequest(entityName: entity.name))
      }
    }
  }
}
