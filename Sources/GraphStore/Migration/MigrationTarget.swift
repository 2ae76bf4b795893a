import CGraphStoreShims
import Foundation

/// Another place for a migrated store than that of the old one.
struct MigrationTarget {
  /// The path without symbolic links.
  let path: String
  private let isReplacing: Bool

  /// - Throws: `store-exists` for a place that is taken, unless a store there is to be replaced; `migration-destination`
  ///   for one in a folder that is not there.
  init(_ path: String, isReplacing: Bool) throws {
    self.path = ResolvedPath.of(path)
    self.isReplacing = isReplacing
    let folder = self.path.lastIndex(of: "/").map { String(self.path[...$0]) } ?? "."
    guard RegularFile.isFolder(folder) else {
      throw GraphStoreError(
        .migrationDestination, "\(path) cannot be made: there is no folder \(folder).",
        remedy: "Make the folder, or choose another path.")
    }
    guard RegularFile.isTaken(path), !isReplacing else { return }
    throw Self.exists(path)
  }

  /// Gives a store its name there.
  ///
  /// - Throws: `store-exists`, `store-in-use`, `store-timeout`, `store-permission`, `disk-full`.
  func place(_ store: TemporaryStore) throws {
    if isReplacing, RegularFile.isTaken(path) {
      let old = try MigrationSource(
        path, isReplaced: true, beside: path, timeout: StoreOptions.defaultTimeout)
      let replacement = StoreReplacement(path: path)
      let backup = replacement.backupPath(version: nil)
      try old.whileExclusive { try replacement.replace(by: store, keepingOldAs: backup) }
      return replacement.removeBackup(backup)
    }
    try store.flush()
    try ExternalDataFolder(besideStoreAt: store.path).link(into: ExternalDataFolder(besideStoreAt: path))
    guard unsafe gs_rename_to_free(store.path, path) == 0 || link(store.path, path) == 0 else {
      throw errno == EEXIST ? Self.exists(path) : SQLiteLayout.error(.system(errno), path)
    }
    // What is left are its other name, if it has one, and the other names of its data.
    store.removeRest()
    StoreReplacement.flushFolder(of: path)
  }

  private static func exists(_ path: String) -> GraphStoreError {
    GraphStoreError(
      .storeExists, "There is something at \(path) already.",
      remedy: "Choose another path, or let the store there be replaced.")
  }
}
