import Foundation

/// The store of a plan, and the place of the migrated one, by the type that it has.
extension MigrationPlan {
  /// The place of the migrated store, where that is another one than the store's.
  ///
  /// - Throws: `store-exists`, `migration-destination`; `store-type-mismatch` for a store of another type
  ///   that is to be replaced.
  func destination(at output: String, _ options: MigrationOptions) throws -> StoreDestination {
    if !isInFile { throw MigratedServerStore.elsewhere(path) }
    let target = try StoreDestination(
      output, from: stored.form.isSQLite ? path : nil, isReplacing: options.replacesOutput,
      remedyIfTaken: MigrationOptions.remedyForTakenOutput, timeout: options.timeout)
    guard target.isTaken else { return target }
    if case .document(let format) = stored.form {
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
    switch stored.form {
    case .sqlite: try SQLiteStore.checkWritable(ResolvedPath.of(path))
    case .document: try AtomicStoreFile(ResolvedPath.of(path)).checkWritable()
    // A rehearsal writes there too.
    case .onServer: break
    }
  }

  /// Whether the store is a file.
  var isInFile: Bool { if case .onServer = stored.form { false } else { true } }

  /// The path of the store by which it is replaced: without symbolic links, where it is in a file.
  var replacedPath: String { isInFile ? ResolvedPath.of(path) : path }

  /// The path beside which the stores of the steps are filled: that of the migrated store, if it is a file.
  func workingPath(for target: String) -> String {
    isInFile ? target : Self.temporaryPlace(for: path)
  }

  /// A path in the folder for temporary files, beside which copies of a store are made.
  static func temporaryPlace(for path: String) -> String {
    let name = ServerAddress(path)?.name ?? ResolvedPath.of(path).split(separator: "/").last.map(String.init)
    return NSTemporaryDirectory() + "/" + (name ?? "store").replacing("/", with: "_")
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
    switch stored.form {
    case .sqlite:
      try MigratedSQLiteStore(
        path, isReplaced: isReplaced, beside: place, timeout: options.timeout, isCancelled: isCancelled)
    case .document(let format):
      try MigratedDocument(
        self, format, isLocked: isReplaced || (options.deletesSource && !options.isRehearsal), beside: place,
        timeout: options.timeout, isCancelled: isCancelled)
    case .onServer(let driver):
      try MigratedServerStore(
        self, driver, isLocked: isReplaced, timeout: options.timeout, isCancelled: isCancelled)
    }
  }
}
