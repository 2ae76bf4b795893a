import CGraphStoreShims
import Foundation
import Glibc
import GraphStoreFiles
import GraphStoreSQLite

/// Hidden store beside another one, which is filled and then replaces it, or is removed (MIG-223).
///
/// Its file is locked as long as this lives, by which a later migration distinguishes it from one whose
/// process has died (MIG-271).
final class TemporaryStore {
  /// The path of the file.
  let path: String
  private let descriptor: Int32
  private var isPlaced = false

  /// Makes an empty file beside a path.
  ///
  /// - Throws: `store-permission`, `disk-full`, `store-open`.
  init(beside path: String) throws {
    for _ in 0..<100 {
      let other = Self.freePath(beside: path)
      let file = unsafe open(other, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if file >= 0 {
        // Before the lock was there another process may have taken the file for a dead one's.
        var status = stat()
        guard flock(file, LOCK_EX | LOCK_NB) == 0, unsafe fstat(file, &status) == 0, status.st_nlink > 0
        else {
          DatabaseFiles.close(file)
          continue
        }
        self.path = other
        descriptor = file
        for unfinished in Self.files(other) { unsafe gs_add_unfinished(unfinished) }
        return
      }
      guard errno == EEXIST else { throw SQLiteLayout.error(.system(errno), path) }
    }
    throw SQLiteLayout.error(.system(EEXIST), path)
  }

  deinit {
    if !isPlaced { Self.remove(path) }
    for unfinished in Self.files(path) { unsafe gs_remove_unfinished(unfinished) }
    DatabaseFiles.close(descriptor)
  }

  /// Renames the file to a free name.
  ///
  /// - Returns: Whether it was still free.
  /// - Throws: `disk-full`, `store-permission`, `store-open`.
  func take(free name: String) throws -> Bool {
    guard unsafe gs_rename_to_free(path, name) == 0 || link(path, name) == 0 else {
      if errno == EEXIST { return false }
      throw SQLiteLayout.error(.system(errno), name)
    }
    removeRest()
    return true
  }

  /// The file has got another name, and stays there: files left under the old one are removed.
  func removeRest() {
    isPlaced = true
    Self.remove(path)
  }

  /// Ends the writing of the store: it is whole and durable then.
  ///
  /// - Throws: As ``FinishedStore/finish(_:)``.
  func finish() throws {
    try FinishedStore.finish(path)
    // The own descriptor, which is older than all writing, gets failures that were reported to others before.
    try flush()
  }

  /// Writes a document as the whole content of the file, and makes it durable.
  ///
  /// - Throws: `disk-full`, `store-save-failed`.
  func write(_ document: [UInt8]) throws {
    do { try FileContent.write(document, to: descriptor) } catch {
      throw SQLiteLayout.error(error, path)
    }
    try flush()
  }

  /// Makes content and attributes of the file durable.
  ///
  /// - Throws: `disk-full`, `store-save-failed`.
  func flush() throws {
    guard fsync(descriptor) == 0 else { throw GraphStoreError.unwritten(path, errno) }
  }

  /// Copies to the file the mode, the extended attributes and, where the process may, the owner of another
  /// one (MIG-276).
  func adoptAttributes(of original: String) {
    var status = stat()
    guard unsafe stat(original, &status) == 0 else { return }
    // Changing the owner may take bits off the mode.
    _ = fchown(descriptor, status.st_uid, status.st_gid)
    fchmod(descriptor, status.st_mode & 0o7777)
    ExtendedAttributes.copy(from: original, toFile: descriptor)
  }

  /// Gives the file the permissions of a new one, which those of its external data follow: what the umask
  /// leaves of 0666.
  func takeUsualMode() {
    let mask = umask(0o077)
    umask(mask)
    unsafe chmod(path, 0o666 & ~mask)
  }

  /// Whether there is nothing at a path, and nothing beside it that would be taken for a part of the store
  /// that gets the name.
  static func isUnused(_ path: String) -> Bool {
    guard FileIdentity(path, followsLinks: false) == nil, sideFile(besideStoreAt: path) == nil else {
      return false
    }
    // Names that differ in the extension alone, as those of backups do, have one folder.
    let folder = ExternalDataFolder(besideStoreAt: path)
    return folder.files().isEmpty || folder.isShared
  }

  /// A file beside a path that SQLite would take for the log of the store there.
  static func sideFile(besideStoreAt path: String) -> String? {
    sideSuffixes.lazy.map { path + $0 }.first { FileIdentity($0, followsLinks: false) != nil }
  }

  /// Gives the log beside a path a second name, as that of the store at another one.
  ///
  /// - Throws: `store-open`, `store-permission`, `disk-full`.
  static func linkLog(of path: String, to other: String) throws {
    for suffix in logSuffixes where unsafe link(path + suffix, other + suffix) != 0 && errno != ENOENT {
      throw SQLiteLayout.error(.system(errno), other + suffix)
    }
  }

  /// Removes the log beside a path, and its index.
  static func removeLog(of path: String) {
    for suffix in sideSuffixes { unsafe unlink(path + suffix) }
  }

  // MARK: Leftovers

  /// Removes what migrations of a store left whose processes died, never what one is still at (MIG-271).
  static func removeLeftovers(beside path: String) {
    let (folder, name) = parts(path)
    let prefix = prefix(name)
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let own = FileIdentity(path)
    for entry in entries {
      // A second name of the store itself is removed by the process that has the store locked (MIG-271).
      guard LeftoverLabel.ends(entry, after: prefix), own == nil || FileIdentity(folder + entry) != own else {
        continue
      }
      let file = unsafe open(folder + entry, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      guard file >= 0 else { continue }
      if flock(file, LOCK_EX | LOCK_NB) == 0 { remove(folder + entry) }
      DatabaseFiles.close(file)
    }
    // For a file that has got the name of the store: the files beside it under the old name.
    for entry in Set(entries.compactMap { owner(of: $0, prefix) }) where !RegularFile.isTaken(folder + entry)
    {
      remove(folder + entry)
    }
  }

  /// Whether a file beside a store is a migration's, by its name.
  static func isTemporary(_ entry: String, of path: String) -> Bool {
    let prefix = prefix(parts(path).name)
    return LeftoverLabel.ends(entry, after: prefix)
  }

  /// A free name beside a path, by which a later migration knows a file as left behind.
  static func freePath(beside path: String) -> String {
    let (folder, name) = parts(path)
    while true {
      let other = folder + prefix(name) + LeftoverLabel.random()
      if !RegularFile.isTaken(other) { return other }
    }
  }

  /// The name of the store that a side file or a folder of external data belongs to.
  private static func owner(of entry: String, _ prefix: String) -> String? {
    let end = "_SUPPORT"
    let owner =
      if let suffix = sideSuffixes.first(where: entry.hasSuffix) {
        String(entry.dropLast(suffix.count))
      } else if entry.hasSuffix(end) {
        String(entry.dropFirst().dropLast(end.count))
      } else {
        ""
      }
    return LeftoverLabel.ends(owner, after: prefix) ? owner : nil
  }

  private static let logSuffixes = ["-journal", "-wal"]
  private static let sideSuffixes = logSuffixes + ["-shm"]

  /// The files that a terminated process leaves of a store, unless it removes them first.
  private static func files(_ path: String) -> [String] {
    ([""] + sideSuffixes).map { path + $0 } + [ExternalDataFolder.supportPath(besideStoreAt: path)]
  }

  /// Without a dot but the first, so that each has a folder of external data of its own.
  private static func prefix(_ name: String) -> String {
    ".\(name.prefix(60).replacing(".", with: "_"))-migration-"
  }

  private static func parts(_ path: String) -> (folder: String, name: String) {
    let slash = path.lastIndex(of: "/")
    return (
      slash.map { String(path[...$0]) } ?? "./",
      slash.map { String(path[path.index(after: $0)...]) } ?? path
    )
  }

  /// Removes a store with its side files and its external data.
  static func remove(_ path: String) {
    unsafe unlink(path)
    removeLog(of: path)
    let folder = ExternalDataFolder(besideStoreAt: path)
    guard !folder.isShared else { return }
    folder.removeUnfinished()
    folder.remove(folder.files().map(\.name))
    folder.removeIfEmpty()
  }
}

/// State of a database's file, by which later writes to it are detected.
struct FileState: Equatable {
  private let size: Int
  private let seconds, nanoseconds: Int
  private let header: [UInt8]

  /// The state of the file at a path; nil where there is none that can be read.
  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0,
      let bytes = DatabaseFiles.firstBytes(path, count: SQLiteFileHeader.length)
    else { return nil }
    size = Int(status.st_size)
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    header = bytes
  }
}
