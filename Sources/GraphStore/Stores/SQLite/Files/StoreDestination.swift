import Foundation

/// The path at which a new store is to appear, or to replace another one.
struct StoreDestination {
  /// The path without symbolic links.
  let path: String
  private let isReplacing: Bool
  private let mindsObstacles: Bool
  private let timeout: Duration

  /// - Parameters:
  ///   - source: The store that is migrated or copied; it stays.
  ///   - isReplacing: Whether a store that is there is to be replaced.
  ///   - minds: Whether what keeps that from being written by the library matters.
  /// - Throws: `store-exists` for a path that is in use, unless a store there is to be replaced, or the file
  ///   there is empty;
  ///   `migration-destination` for one in a folder that is not there, and for one whose external data would
  ///   be those of the source.
  init(
    _ path: String, from source: String, isReplacing: Bool, mindsObstacles minds: Bool = true,
    timeout: Duration = StoreOptions.defaultTimeout
  ) throws {
    self.path = ResolvedPath.of(path)
    self.isReplacing = isReplacing
    mindsObstacles = minds
    self.timeout = timeout
    let folder = self.path.lastIndex(of: "/").map { String(self.path[...$0]) } ?? "."
    guard RegularFile.isFolder(folder) else {
      throw GraphStoreError(
        .migrationDestination, "\(path) cannot be made: there is no folder \(folder).",
        remedy: "Make the folder, or choose another path.")
    }
    if isTaken, !isReplacing { throw Self.exists(path) }
    try checkExternalData(of: source)
  }

  /// Whether there is something else than an empty file.
  private var isTaken: Bool { RegularFile.isTaken(path) && !ResolvedPath.isFree(path) }

  /// Stores whose names differ in their extensions alone have one folder for external data: what one deletes
  /// there, the other has lost.
  private func checkExternalData(of source: String) throws {
    let own = ExternalDataFolder(besideStoreAt: source)
    guard own.path == ExternalDataFolder(besideStoreAt: path).path, !own.files().isEmpty else { return }
    throw GraphStoreError(
      .migrationDestination, "\(path) would have its external data in the same files as \(source).",
      remedy: "Give it a name that differs before the extension, or put it into another folder.")
  }

  /// Renames a store to its name there.
  ///
  /// - Parameter keepsReplaced: Whether the store that was there stays as a backup.
  /// - Returns: The path of that backup.
  /// - Throws: `store-exists`, `store-in-use`, `store-timeout`, `store-permission`, `disk-full`.
  @discardableResult
  func place(_ store: TemporaryStore, keepsReplaced: Bool = false) throws -> String? {
    if isReplacing, isTaken {
      let old = try LockedStore(
        path, isReplaced: true, mindsObstacles: mindsObstacles, beside: path, timeout: timeout)
      let replacement = StoreReplacement(path: path)
      let backup = replacement.backupPath(version: nil)
      try old.whileExclusive { try replacement.replace(by: store, keepingOldAs: backup) }
      if keepsReplaced { return backup }
      replacement.removeBackup(backup)
      return nil
    }
    try placeAtFreePath(store)
    return nil
  }

  private func placeAtFreePath(_ store: TemporaryStore) throws {
    try store.flush()
    let folder = ExternalDataFolder(besideStoreAt: path)
    let former = Set(folder.files().map(\.name))
    do {
      try ExternalDataFolder(besideStoreAt: store.path).link(into: folder)
      guard try store.take(free: path) || takeEmptyFile(store) else { throw Self.exists(path) }
      let failure = FolderEntries.flush(beside: path)
      guard failure == 0 else {
        unsafe unlink(path)
        throw GraphStoreError.unwritten(path, failure)
      }
    } catch {
      folder.remove(folder.files().map(\.name).filter { !former.contains($0) })
      folder.removeIfEmpty()
      throw error
    }
  }

  /// Replaces an empty file, as which a store is taken that has yet to be made.
  private func takeEmptyFile(_ store: TemporaryStore) throws -> Bool {
    guard ResolvedPath.isFree(path) else { return false }
    guard unsafe rename(store.path, path) == 0 else { throw SQLiteLayout.error(.system(errno), path) }
    store.removeRest()
    return true
  }

  private static func exists(_ path: String) -> GraphStoreError {
    GraphStoreError(
      .storeExists, "There is something at \(path) already.",
      remedy: "Choose another path, or let the store there be replaced.")
  }
}
