import Foundation
import GraphStoreFiles
import GraphStoreSQLite

/// Replacement of a store's file by a new one, so that at every instant the path holds one complete store
/// (MIG-266).
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

  /// Replaces the old store by a new one; the old one is kept under another name.
  ///
  /// The old file has no log and no journal, and no other connection has it open. The new one is finished.
  ///
  /// - Throws: `disk-full`, `store-permission`, `store-save-failed`, `store-open`; the old store is at its
  ///   path then.
  func replace(by new: TemporaryStore, keepingOldAs backup: String) throws {
    let folder = ExternalDataFolder(besideStoreAt: path)
    let newFolder = ExternalDataFolder(besideStoreAt: new.path)
    let kept = Set(newFolder.files().map(\.name))
    let former = Set(folder.files().map(\.name))
    new.adoptAttributes(of: path)
    try new.flush()
    do {
      try folder.link(into: ExternalDataFolder(besideStoreAt: backup))
      try newFolder.link(into: folder)
      guard unsafe link(path, backup) == 0 else { throw SQLiteLayout.error(.system(errno), backup) }
      try flushFolder()
      guard unsafe rename(new.path, path) == 0 else { throw SQLiteLayout.error(.system(errno), path) }
    } catch {
      removeBackup(backup)
      folder.remove(kept.subtracting(former))
      throw error
    }
    do { try flushFolder() } catch {
      try putBack(backup)
      folder.remove(kept.subtracting(former))
      throw error
    }
    removeOrphans(folder, keeping: kept)
    new.removeRest()
  }

  /// Moves the old store back to its path (MIG-283).
  ///
  /// - Throws: `store-open`, `store-save-failed`.
  func putBack(_ backup: String) throws {
    try ExternalDataFolder(besideStoreAt: backup).link(into: ExternalDataFolder(besideStoreAt: path))
    guard unsafe rename(backup, path) == 0 else { throw SQLiteLayout.error(.system(errno), path) }
    TemporaryStore.remove(backup)
    try flushFolder()
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

  private func flushFolder() throws {
    let failure = FolderEntries.flush(beside: path)
    guard failure == 0 else { throw GraphStoreError.unwritten(path, failure) }
  }

  // MARK: Leftovers

  /// Removes second names of the store that a migration gave it which was killed before the replacement: they
  /// were to be those of the old store, and are those of the one that is in use (MIG-271).
  ///
  /// The caller has the lock of the writer, which a migration that lives has from its first read to its
  /// replacement.
  func removeSecondNames() {
    guard FileIdentity.hasSeveralNames(path), let identity = FileIdentity(path) else { return }
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "./"
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    for entry in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      guard entry != name, isBackup(entry, of: name) || TemporaryStore.isTemporary(entry, of: path),
        FileIdentity(folder + entry, followsLinks: false) == identity
      else { continue }
      TemporaryStore.remove(folder + entry)
    }
  }

  /// Whether a file beside the store is a backup that a replacement made, by its name.
  private func isBackup(_ entry: String, of name: String) -> Bool {
    guard entry.hasPrefix(name + ".") else { return false }
    return entry.dropFirst(name.count).wholeMatch(of: /(\..+)?\.backup(-[0-9]+)?/) != nil
  }
}
