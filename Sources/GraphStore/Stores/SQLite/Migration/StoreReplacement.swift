import Foundation
import GraphStoreSQLite

/// Replacement of a store's file by a new one, so that at every instant the path holds one complete store (MIG-266).
struct StoreReplacement {
  /// The path of the store, without symbolic links.
  let path: String

  /// The first free name for a backup (MIG-268).
  ///
  /// - Parameter version: What the old store's version is called; nil for one without a name.
  func backupPath(version: String?) -> String {
    let label = version.map { "." + $0.replacing("/", with: "-") } ?? ""
    var (candidate, number) = ("\(path)\(label).backup", 1)
    while RegularFile.isTaken(candidate) {
      number += 1
      candidate = "\(path)\(label).backup-\(number)"
    }
    return candidate
  }

  /// Puts a new store in the place of the old one, which goes on under the name of the backup.
  ///
  /// The old file has no log and no journal, and nobody else has a lock on it.
  ///
  /// - Throws: `disk-full`, `store-permission`, `store-open`; the old store is at its place then.
  func replace(by new: TemporaryStore, keepingOldAs backup: String) throws {
    let folder = ExternalDataFolder(besideStoreAt: path)
    let newFolder = ExternalDataFolder(besideStoreAt: new.path)
    let backupFolder = ExternalDataFolder(besideStoreAt: backup)
    let kept = Set(newFolder.files().map(\.name))
    new.adoptAttributes(of: path)
    try new.flush()
    do {
      try folder.link(into: backupFolder)
      try newFolder.link(into: folder)
      guard unsafe link(path, backup) == 0 else { throw SQLiteLayout.error(.system(errno), backup) }
    } catch {
      removeBackup(backup)
      throw error
    }
    Self.flushFolder(of: path)
    guard unsafe rename(new.path, path) == 0 else {
      let number = errno
      removeBackup(backup)
      throw SQLiteLayout.error(.system(number), path)
    }
    Self.flushFolder(of: path)
    removeOrphans(folder, keeping: kept)
    new.removeRest()
  }

  /// Puts the old store back into its place (MIG-283).
  ///
  /// - Throws: `store-open`.
  func putBack(_ backup: String) throws {
    try ExternalDataFolder(besideStoreAt: backup).link(into: ExternalDataFolder(besideStoreAt: path))
    guard unsafe rename(backup, path) == 0 else { throw SQLiteLayout.error(.system(errno), path) }
    Self.flushFolder(of: path)
    TemporaryStore.remove(backup)
  }

  /// Removes the old store.
  func removeBackup(_ backup: String) {
    if backup != path { TemporaryStore.remove(backup) }
  }

  /// Removes files that the new store does not name, unless another store has the same folder.
  private func removeOrphans(_ folder: ExternalDataFolder, keeping kept: Set<ExternalDataName>) {
    guard !folder.isShared else { return }
    folder.remove(folder.files().map(\.name).filter { !kept.contains($0) })
  }

  static func flushFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
