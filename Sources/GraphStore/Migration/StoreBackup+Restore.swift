import GraphStoreModel

extension StoreBackup {
  /// Replaces a store by a copy of a backup, so that at every instant the path holds one complete store.
  ///
  /// The backup stays as it is, and is opened with the model that it carries before anything else happens.
  /// The store that it replaces becomes a backup in turn, a damaged one with its log. That store may not be
  /// open in this process; other processes are waited for. Where one of both is on a server the store gets
  /// what the backup holds, but for its history; who has it open is told by the next save.
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
    try restoring(backup, to: path, timeout: timeout).replacedStore
  }

  /// Replaces a store as ``restore(_:to:timeout:)`` does, and says what the path holds then.
  package static func restoring(
    _ backup: String, to path: String, timeout: Duration = StoreOptions.defaultTimeout
  ) throws -> StoreBackupResult {
    try check(backup, timeout: timeout)
    guard ResolvedPath.of(backup) != ResolvedPath.of(path) else {
      throw GraphStoreError(
        .migrationDestination, "\(backup) is the backup itself.",
        remedy: "Give the path of the store that it is to replace.")
    }
    return try copy(backup, to: path, .keptAsBackup, timeout: timeout)
  }

  /// Makes sure that a backup can be put at a place.
  ///
  /// - Throws: `store-type-unknown` for the address of a server whose stores the program does not have.
  package static func checkDestination(_ path: String) throws {
    if ServerAddress(path) != nil { _ = try StoreRegistry.driver(ofNew: nil, at: path) }
  }

  /// Makes sure that a store opens with the model that it carries, and that the tables of all entities can be
  /// read: opening alone reads none.
  ///
  /// - Throws: What is wrong with the store, from `store-not-found` to `store-corrupt`.
  package static func check(_ path: String, timeout: Duration = StoreOptions.defaultTimeout) throws {
    let model = try StoreModel.load(fromStoreAt: path, timeout: timeout).model
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
