import Foundation
import GraphStoreFiles
import GraphStoreSQLite

/// Replacement of a store's file by a new one, so that at every instant the path holds one complete store
/// (MIG-266).
struct StoreReplacement {
  /// The path of the store, without symbolic links.
  let path: String

  /// Name under which the old store is kept.
  enum KeptName {
    /// As a backup, with what its version is called; nil for a version without a name.
    case backup(version: String?)
    /// As a hidden file, until it is removed.
    case hidden
  }

  /// The first free name for the old store (MIG-268): a store there would be taken for the owner of a log or
  /// of external data beside it.
  func freeName(_ name: KeptName) -> String {
    switch name {
    case .backup(let version): freeBackupPath(version: version)
    case .hidden: TemporaryStore.freePath(beside: path)
    }
  }

  /// The first free name for a backup of a version.
  func freeBackupPath(version: String?) -> String {
    let label = version.map { "." + $0.replacing("/", with: "-") } ?? ""
    var (candidate, number) = ("\(path)\(label).backup", 1)
    while !TemporaryStore.isUnused(candidate) {
      number += 1
      candidate = "\(path)\(label).backup-\(number)"
    }
    return candidate
  }

  /// Replaces the old store by a new one; the old one is kept under another name.
  ///
  /// The old file has no log and no journal, and no other connection has it open. The new one is finished.
  ///
  /// - Returns: The path of the old store.
  /// - Throws: `disk-full`, `store-permission`, `store-save-failed`, `store-open`, `store-timeout`; the old
  ///   store is at its path then.
  func replace(by new: TemporaryStore, keepingOldAs name: KeptName, timeout: Duration) throws -> String {
    new.adoptAttributes(of: path)
    try new.flush()
    return try PlacementLock.whileHeld(beside: path, timeout: timeout) {
      try replace(by: new, keepingOldAt: freeName(name), hasLog: false)
    }
  }

  /// Replaces a store that SQLite cannot open; it is kept as a backup, with its log, which may have what can
  /// be read of it.
  ///
  /// - Returns: The path of the old store.
  /// - Throws: As ``replace(by:keepingOldAs:timeout:)``.
  func replaceDamaged(by new: TemporaryStore, timeout: Duration) throws -> String {
    new.adoptAttributes(of: path)
    try new.flush()
    return try DamagedStore.whileExclusive(path, timeout: timeout) {
      try PlacementLock.whileHeld(beside: path, timeout: timeout) {
        try replace(by: new, keepingOldAt: freeName(.backup(version: nil)), hasLog: true)
      }
    }
  }

  /// - Parameter hasLog: Whether the old store has a log that belongs to it, and not to the new one.
  private func replace(
    by new: TemporaryStore, keepingOldAt backup: String, hasLog: Bool
  ) throws -> String {
    let folder = ExternalDataFolder(besideStoreAt: path)
    let keptFolder = ExternalDataFolder(besideStoreAt: backup)
    let newFolder = ExternalDataFolder(besideStoreAt: new.path)
    let kept = Set(newFolder.files().map(\.name))
    let former = Set(folder.files().map(\.name))
    var (linked, moved): ([ExternalDataName], [ExternalDataName]) = ([], [])
    var isKept = false
    /// Brings everything back to what it was; what others have put there meanwhile stays.
    func takeBack() {
      folder.remove(moved)
      _ = try? keptFolder.link(moved.filter(former.contains), into: folder)
      keptFolder.remove(linked)
      keptFolder.removeIfEmpty()
      if hasLog {
        try? TemporaryStore.linkLog(of: backup, to: path)
        TemporaryStore.removeLog(of: backup)
      }
      if isKept { unsafe unlink(backup) }
    }
    do {
      if hasLog { try TemporaryStore.linkLog(of: path, to: backup) }
      linked = try folder.link(into: keptFolder)
      guard unsafe link(path, backup) == 0 else { throw SQLiteLayout.error(.system(errno), backup) }
      isKept = true
      try newFolder.move(into: folder, replacing: !folder.isShared, moved: &moved)
      try flushFolder()
      if hasLog { TemporaryStore.removeLog(of: path) }
      guard unsafe rename(new.path, path) == 0 else { throw SQLiteLayout.error(.system(errno), path) }
    } catch {
      takeBack()
      throw error
    }
    do { try flushFolder() } catch {
      guard unsafe rename(backup, path) == 0 else { throw SQLiteLayout.error(.system(errno), path) }
      isKept = false
      takeBack()
      throw error
    }
    removeOrphans(folder, keeping: kept)
    new.removeRest()
    return backup
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
        FileIdentity(folder + entry, followsLinks: false) == identity,
        // With a log of its own it is a damaged store that was to be kept.
        TemporaryStore.sideFile(besideStoreAt: folder + entry) == nil
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
