import Foundation
import GraphStoreFiles

/// The path at which a new store is to appear, or to replace another one.
struct StoreDestination {
  /// The path without symbolic links.
  let path: String
  let isReplacing: Bool
  private let mindsObstacles: Bool
  private let remedyIfTaken: String
  private let timeout: Duration

  /// - Parameters:
  ///   - source: The store that is migrated or copied; it stays. Nil for one that is made of something else.
  ///   - isReplacing: Whether a store that is there is to be replaced.
  ///   - minds: Whether what keeps that from being written by the library matters.
  ///   - remedy: What is advised where the path is in use.
  /// - Throws: `store-exists` for a path that is in use, unless a store there is to be replaced, or the file
  ///   there is empty;
  ///   `migration-destination` for one in a folder that is not there, and for one whose external data would
  ///   be those of the source; `not-supported` for the address of a server.
  init(
    _ path: String, from source: String?, isReplacing: Bool, mindsObstacles minds: Bool = true,
    remedyIfTaken remedy: String = "Choose another path.", timeout: Duration = StoreOptions.defaultTimeout
  ) throws {
    try Self.checkIsFile(path)
    self.path = ResolvedPath.of(path)
    self.isReplacing = isReplacing
    mindsObstacles = minds
    remedyIfTaken = remedy
    self.timeout = timeout
    let folder = self.path.lastIndex(of: "/").map { String(self.path[...$0]) } ?? "."
    guard RegularFile.isFolder(folder) else {
      throw GraphStoreError(
        .migrationDestination, "\(path) cannot be made: there is no folder \(folder).",
        remedy: "Make the folder, or choose another path.")
    }
    if FileIdentity(self.path, followsLinks: false) != nil, FileIdentity(self.path) == nil {
      throw GraphStoreError(
        .migrationDestination, "\(path) is a symbolic link that leads nowhere.",
        remedy: "Remove it, or give the path of the store.")
    }
    if isTaken, !isReplacing { throw exists(path) }
    if let source { try checkExternalData(of: source) }
  }

  /// Makes sure that a place can hold a file.
  ///
  /// - Throws: `not-supported` for the address of a server.
  static func checkIsFile(_ place: String) throws {
    guard let address = ServerAddress(place) else { return }
    throw GraphStoreError(
      .notSupported, "\(address.text) is on a server, where the file of a store cannot be put.",
      remedy:
        "Give the path of a file; a backup at the address makes a store there.")
  }

  /// Whether there is something else than an empty file at the path.
  var isTaken: Bool { FileIdentity(path, followsLinks: false) != nil && !RegularFile.isEmpty(path) }

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
    guard isReplacing, isTaken else {
      try placeAtFreePath(store)
      return nil
    }
    let replacement = StoreReplacement(path: path)
    let backup: String
    do {
      let old = try LockedStore(
        path, isReplaced: true, mindsObstacles: mindsObstacles, beside: path, timeout: timeout)
      backup = try old.whileExclusive {
        try replacement.replace(
          by: store, keepingOldAs: keepsReplaced ? .backup(version: nil) : .hidden, timeout: timeout)
      }
    } catch let error as GraphStoreError where keepsReplaced && error.code == .storeCorrupt {
      return try replacement.replaceDamaged(by: store, timeout: timeout)
    }
    if keepsReplaced { return backup }
    replacement.removeBackup(backup)
    return nil
  }

  private func placeAtFreePath(_ store: TemporaryStore) throws {
    try store.flush()
    try PlacementLock.whileHeld(beside: path, timeout: timeout) {
      if isTaken { throw exists(path) }
      try removeLog()
      let folder = ExternalDataFolder(besideStoreAt: path)
      let newFolder = ExternalDataFolder(besideStoreAt: store.path)
      let former = Set(folder.files().map(\.name))
      var moved: [ExternalDataName] = []
      do {
        try newFolder.move(into: folder, replacing: !folder.isShared, moved: &moved)
        guard try store.take(free: path) || takeEmptyFile(store) else { throw exists(path) }
        let failure = FolderEntries.flush(beside: path)
        guard failure == 0 else {
          unsafe unlink(path)
          throw GraphStoreError.unwritten(path, failure)
        }
      } catch {
        folder.remove(moved.filter { !former.contains($0) })
        folder.removeIfEmpty()
        throw error
      }
    }
  }

  /// Removes the log of a store that was here: SQLite would apply it to the one that gets the name.
  ///
  /// - Throws: `store-exists` where nothing is to be replaced; it may be all that somebody has left of a
  ///   store. `store-permission`.
  private func removeLog() throws {
    while let log = TemporaryStore.sideFile(besideStoreAt: path) {
      guard isReplacing else {
        throw GraphStoreError(
          .storeExists,
          "\(log) is the log of a store that was at \(path), and would be taken for the new one's.",
          remedy: "Move it away, or choose another path.")
      }
      guard unsafe unlink(log) == 0 || errno == ENOENT else { throw GraphStoreError.unwritten(log, errno) }
    }
  }

  /// Replaces an empty file, as which a store is taken that has yet to be made.
  private func takeEmptyFile(_ store: TemporaryStore) throws -> Bool {
    guard RegularFile.isEmpty(path), !isTaken else { return false }
    guard unsafe rename(store.path, path) == 0 else { throw SQLiteLayout.error(.system(errno), path) }
    store.removeRest()
    return true
  }

  private func exists(_ path: String) -> GraphStoreError {
    GraphStoreError(.storeExists, "There is something at \(path) already.", remedy: remedyIfTaken)
  }
}
