import Foundation
import GraphStoreFiles
import GraphStoreSQLite

/// The files of SQLite stores as wholes: copied, replaced and removed with the log and the external data that
/// belong to them (STO-162).
enum SQLiteStoreFiles {
  // MARK: Copying

  /// Copies a store that others may use meanwhile.
  ///
  /// - Throws: As ``StoreDriver/copy(_:to:_:isOneFile:timeout:)``.
  static func copy(
    _ source: String, to destination: String, _ present: PresentStore, isOneFile: Bool, timeout: Duration
  ) throws -> StoreBackupResult {
    guard source != SQLiteStore.privateLocation, destination != SQLiteStore.privateLocation else {
      throw GraphStoreError(
        .notSupported, "There is no file at \(SQLiteStore.privateLocation) that could be copied.",
        remedy: "Name a store in a file, and a path for the copy.")
    }
    guard !isSame(source, destination) else {
      throw GraphStoreError(
        .migrationDestination, "\(destination) is the store itself.",
        remedy: "Give another path for the copy.")
    }
    let target = try StoreDestination(
      destination, from: source, isReplacing: present != .refused, mindsObstacles: false, timeout: timeout)
    if present != .refused, OpenStores.contains(target.path) { throw LockedStore.inUse(target.path) }
    if present != .refused, StoreType.detected(at: source) == .sqlite {
      try StoreType.checkIsReplaceableBySQLite(target.path)
    }
    let copy = try OnlineCopy(of: source, beside: target.path, isOneFile: isOneFile, timeout: timeout)
    let bytes = byteCount(copy.store.path)
    let replaced = try target.place(copy.store, keepsReplaced: present == .keptAsBackup)
    return StoreBackupResult(
      path: target.path, objectCount: copy.objectCount, byteCount: bytes,
      missingFileCount: copy.missingFileCount, replacedStore: replaced)
  }

  private static func isSame(_ path: String, _ other: String) -> Bool {
    if ResolvedPath.of(path) == ResolvedPath.of(other) { return true }
    guard let identity = FileIdentity(path) else { return false }
    return identity == FileIdentity(other)
  }

  private static func byteCount(_ path: String) -> Int {
    let files = ExternalDataFolder(besideStoreAt: path).files()
    return files.reduce(RegularFile.size(path) ?? 0) { $0 + $1.size }
  }

  // MARK: Removing

  /// Removes a store that nobody has open.
  ///
  /// Its log goes first, once it is folded in: it could be taken for that of another file that gets the name.
  /// So the path holds the whole store or none whenever this is interrupted, and what is left of the external
  /// data is removed by the next call.
  ///
  /// - Throws: As ``StoreDriver/destroy(_:isForced:timeout:)``.
  static func destroy(_ path: String, isForced: Bool, timeout: Duration) throws {
    let path = ResolvedPath.of(path)
    if OpenStores.contains(path) { throw LockedStore.inUse(path) }
    TemporaryStore.removeLeftovers(beside: path)
    guard RegularFile.isTaken(path) else { return TemporaryStore.remove(path) }
    do {
      let store = try LockedStore(
        path, isReplaced: true, mindsObstacles: false, beside: path, timeout: timeout)
      defer { store.release() }
      try store.lockForRemoval()
      try removeFiles(path)
    } catch let error as GraphStoreError where isForced && isUnreadable(path, error) {
      try DamagedStore.whileExclusive(path, timeout: timeout) { try removeFiles(path) }
    } catch is LockedStore.Replaced {
      throw GraphStoreError.replacedMeanwhile(path)
    }
  }

  /// Whether a file is no store that can be locked.
  private static func isUnreadable(_ path: String, _ error: GraphStoreError) -> Bool {
    let codes: [GraphStoreError.Code] = [.notAStore, .storeCorrupt]
    return RegularFile.exists(path) && codes.contains(error.code)
  }

  private static func removeFiles(_ path: String) throws {
    guard unsafe unlink(path) == 0 || errno == ENOENT else { throw GraphStoreError.unremovable(path, errno) }
    TemporaryStore.remove(path)
    let failure = FolderEntries.flush(beside: path)
    guard failure == 0 else { throw GraphStoreError.unwritten(path, failure) }
  }
}

extension GraphStoreError {
  /// The failure of removing a store that another process has replaced.
  static func replacedMeanwhile(_ path: String) -> GraphStoreError {
    GraphStoreError(
      .storeReplaced, "\(path) was replaced by another file while it was to be removed.",
      remedy: "See which store is there now, and try again.")
  }

  fileprivate static func unremovable(_ path: String, _ number: Int32) -> GraphStoreError {
    GraphStoreError(
      .storePermission, "\(path) cannot be removed: \(unsafe String(cString: strerror(number))).",
      remedy: "See to the right to write its folder; the store is as it was.")
  }
}
