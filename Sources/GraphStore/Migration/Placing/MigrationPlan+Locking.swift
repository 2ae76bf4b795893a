/// The store of a plan, and the place of the migrated one, by the type that it has.
extension MigrationPlan {
  /// The place of the migrated store, where that is another one than the store's.
  ///
  /// - Throws: `store-exists`, `migration-destination`; `store-type-mismatch` for a store of another type
  ///   that is to be replaced.
  func destination(at output: String, _ options: MigrationOptions) throws -> StoreDestination {
    let target = try StoreDestination(
      output, from: stored.documentFormat == nil ? path : nil, isReplacing: options.replacesOutput,
      remedyIfTaken: MigrationOptions.remedyForTakenOutput, timeout: options.timeout)
    guard target.isTaken else { return target }
    if let format = stored.documentFormat {
      try StoreType.checkIsReplaceable(target.path, byDocument: path, of: format.type)
    } else {
      try StoreType.checkIsReplaceableBySQLite(target.path)
    }
    return target
  }

  /// Makes sure that a rehearsal, which only reads the store, ends as the run that replaces it.
  ///
  /// - Throws: `store-permission`.
  func checkWritable() throws {
    let path = ResolvedPath.of(path)
    if stored.documentFormat == nil {
      try SQLiteStore.checkWritable(path)
    } else {
      try AtomicStoreFile(path).checkWritable()
    }
  }

  /// Locks the store.
  ///
  /// - Parameters:
  ///   - isReplaced: Whether the migrated store takes its place.
  ///   - place: The path of the migrated store.
  ///   - isCancelled: Asked while locks are waited for.
  /// - Throws: ``LockedStore/Cancelled``; `store-in-use`, `store-timeout`, `store-permission`,
  ///   `read-only-store`, and what is wrong with the path.
  func lockedStore(
    isReplaced: Bool, beside place: String, _ options: MigrationOptions,
    isCancelled: @escaping () -> Bool = { false }
  ) throws -> any MigratedStore {
    guard let format = stored.documentFormat else {
      return try MigratedSQLiteStore(
        path, isReplaced: isReplaced, beside: place, timeout: options.timeout, isCancelled: isCancelled)
    }
    return try MigratedDocument(
      self, format, isLocked: isReplaced || (options.deletesSource && !options.isRehearsal), beside: place,
      timeout: options.timeout, isCancelled: isCancelled)
  }
}
