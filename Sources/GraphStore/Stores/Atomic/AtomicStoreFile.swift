import Foundation
import Glibc
import GraphStoreFiles
import Synchronization

/// File of an atomic store: read as a whole, and replaced as a whole.
final class AtomicStoreFile: Sendable {
  /// Its absolute path, which may be that of a link.
  let path: String
  /// The state of the file that was read or written last.
  private let known: Mutex<FileStamp?>

  init(_ path: String) {
    self.path = AbsolutePath.of(path)
    known = Mutex(nil)
  }

  /// The state of the file that was read or written last, as bytes.
  var contentState: Data? { known.withLock(\.self).map { Data($0.bytes) } }

  // MARK: Reading

  /// Reads the file, and remembers its state.
  ///
  /// - Throws: what is wrong with the path, from `store-not-found` to `store-permission`; `store-corrupt` for
  ///   an empty file.
  func read() throws -> [UInt8] {
    let content = try content()
    know(content.stamp)
    return content.bytes
  }

  /// Notes the state of a file whose content is known.
  func know(_ stamp: FileStamp) { known.withLock { $0 = stamp } }

  /// Whether another program has changed the file since it was read or written last.
  var isChanged: Bool { known.withLock(\.self).map { FileStamp(ResolvedPath.of(path)) != $0 } ?? false }

  /// The content of the file, with the state that it has.
  ///
  /// - Throws: as ``read()``.
  func content() throws -> (bytes: [UInt8], stamp: FileStamp) {
    guard RegularFile.isTaken(path) else {
      throw GraphStoreError(
        .storeNotFound, "There is no file at \(path).", remedy: "See to the path, or make a store with init.")
    }
    guard RegularFile.exists(path) else {
      throw GraphStoreError(
        .notAStore,
        RegularFile.isFolder(path) ? "\(path) is a folder, not a store." : "\(path) is no regular file.",
        remedy: "Name the store's file.")
    }
    let content = try contentAsItIs()
    guard !content.bytes.isEmpty else {
      throw GraphStoreError(
        .storeCorrupt, "\(path) is an empty file.", remedy: "Restore it from a backup, or make a store there."
      )
    }
    return content
  }

  private func contentAsItIs() throws -> (bytes: [UInt8], stamp: FileStamp) {
    do {
      return try FileContent.read(path)
    } catch .system(EACCES) {
      throw GraphStoreError(
        .storePermission, "The right to read \(path) is missing.",
        remedy: "See to the permissions of the file and its folder.")
    } catch .system(EAGAIN) {
      throw GraphStoreError(
        .storeTimeout, "\(path) is being written by another program.", remedy: "Try again later.")
    } catch .system(let number) where DescriptorRoom.isExhausted(number) {
      throw GraphStoreError.tooManyFiles(path)
    } catch {
      let number = if case .system(let number) = error { number } else { EIO }
      throw GraphStoreError(
        .storeOpen, "\(path) cannot be read: \(unsafe String(cString: strerror(number))).",
        remedy: "Mend the cause and try again.")
    }
  }

  // MARK: Writing

  /// Makes the file, which is whole when it appears.
  ///
  /// - Throws: `store-exists`, `store-permission`, `disk-full`, `store-save-failed`; there is none then.
  func create(_ bytes: [UInt8]) throws {
    let resolved = ResolvedPath.of(path)
    do {
      if RegularFile.isEmpty(resolved) {
        try replace(by: bytes, at: resolved)
      } else {
        let file = try NewFile(for: resolved)
        try file.write(bytes)
        try file.place()
        known.withLock { $0 = FileStamp(resolved) }
      }
    } catch let error as NewFile.Failure {
      throw Self.error(error, path)
    }
  }

  /// Makes sure that the file, and its folder, may be written.
  ///
  /// - Throws: `store-permission`.
  func checkWritable() throws {
    let resolved = ResolvedPath.of(path)
    let folder = resolved.lastIndex(of: "/").map { String(resolved[...$0]) } ?? "."
    guard RegularFile.isWritable(resolved), RegularFile.isWritable(folder) else {
      throw GraphStoreError(
        .storePermission, "\(path) cannot be written.",
        remedy: "See to the right to write the file and its folder, or open it for reading only.")
    }
  }

  /// Replaces the content; at every moment the path has the whole old or the whole new one (STO-056).
  ///
  /// - Parameters:
  ///   - overwritesChanges: Whether it is replaced although others have changed it meanwhile.
  ///   - timeout: How long others are waited for that are replacing it.
  ///   - encode: Makes the new content; called once it is known that the file can be replaced.
  /// - Throws: `file-changed`, `store-timeout`, `store-permission`, `disk-full`, `store-save-failed`; the old
  ///   content is there then.
  func replace(overwritesChanges: Bool, timeout: Duration, by encode: () throws -> [UInt8]) throws {
    let resolved = ResolvedPath.of(path)
    if !overwritesChanges { try checkUnchanged(resolved) }
    let bytes = try encode()
    do {
      ReplacementFile.removeLeftovers(of: resolved)
      let file = try ReplacementFile(of: resolved)
      try file.write(bytes)
      guard let turn = SavingTurn(at: resolved, timeout: timeout) else {
        throw GraphStoreError.beingSaved(path)
      }
      if !overwritesChanges { try checkUnchanged(resolved) }
      try takePlace(file, resolved)
      withExtendedLifetime(turn) {}
    } catch let error as NewFile.Failure {
      throw Self.error(error, path)
    }
  }

  /// Removes the file, and what killed processes have left beside it; where there is none, that alone.
  ///
  /// - Parameter check: Called before the file is removed, if there is one.
  /// - Throws: `store-permission`, and what the check throws.
  func remove(_ check: () throws -> Void) throws {
    let resolved = ResolvedPath.of(path)
    if RegularFile.exists(resolved) {
      try check()
      guard unsafe unlink(resolved) == 0 || errno == ENOENT else { throw Self.error(.system(errno), path) }
    }
    ReplacementFile.removeLeftovers(of: resolved)
    let failure = FolderEntries.flush(beside: resolved)
    if failure != 0 { throw Self.error(.system(failure), path) }
  }

  /// Removes second names that a killed process has given the file, as that of a backup which was to be,
  /// unless somebody replaces it.
  func removeSecondNames() {
    let resolved = ResolvedPath.of(path)
    guard FileIdentity.hasSeveralNames(resolved), let turn = SavingTurn(at: resolved, timeout: .zero) else {
      return
    }
    StoreReplacement(path: resolved).removeSecondNames()
    withExtendedLifetime(turn) {}
  }

  private func replace(by bytes: [UInt8], at resolved: String) throws {
    let file = try ReplacementFile(of: resolved)
    try file.write(bytes)
    try takePlace(file, resolved)
  }

  /// - Throws: `store-save-failed` where the new content is in place, and its name may not be on the disk.
  private func takePlace(_ file: ReplacementFile, _ resolved: String) throws {
    let stamp = try file.takePlace()
    // Also where its name may be gone after a crash: what is there is what was written here.
    known.withLock { $0 = stamp }
    let failure = FolderEntries.flush(beside: resolved)
    guard failure != 0 else { return }
    throw GraphStoreError(
      .storeSaveFailed,
      "The new content of \(path) is in place, but its folder cannot be flushed: "
        + "\(unsafe String(cString: strerror(failure))). After a crash of the system the former content may be "
        + "there again.",
      remedy: "Mend the cause, and save again: the save counts as failed, and the changes are still unsaved.")
  }

  /// Makes sure that nobody else has changed the file.
  ///
  /// - Parameter overwritesChanges: Whether it is replaced although others have changed it meanwhile.
  /// - Throws: `file-changed`.
  func checkUnchanged(overwritesChanges: Bool) throws {
    if !overwritesChanges { try checkUnchanged(ResolvedPath.of(path)) }
  }

  /// - Throws: `file-changed` where the file is another one than was read or written last (STO-059).
  private func checkUnchanged(_ resolved: String) throws {
    guard let known = known.withLock(\.self), FileStamp(resolved) != known else { return }
    throw GraphStoreError(
      .fileChanged,
      "Another program has changed the file \(path) since it was opened or saved.",
      remedy:
        "Read it anew (.refresh in the shell, reload() in a program), or save over the other's with the "
        + "option overwriteChangedFile.")
  }

  private static func error(_ failure: NewFile.Failure, _ path: String) -> GraphStoreError {
    switch failure {
    case .isTaken:
      GraphStoreError(
        .storeExists, "There is a file at \(path).", remedy: "Choose another path, or remove the file.")
    case .cannotBePlaced: .unwritten(path, ENOTSUP)
    case .system(let number) where [EACCES, EPERM, EROFS].contains(number):
      GraphStoreError(
        .storePermission, "\(path) cannot be written.",
        remedy: "See to the right to write the file and its folder.")
    case .system(let number): .unwritten(path, number)
    }
  }
}

extension GraphStoreError {
  /// The failure to get a turn to replace a document in time.
  static func beingSaved(_ path: String) -> GraphStoreError {
    GraphStoreError(
      .storeTimeout, "\(path) is being saved, or migrated, by another process.",
      remedy: "Try again later, or set a longer timeout.")
  }
}
