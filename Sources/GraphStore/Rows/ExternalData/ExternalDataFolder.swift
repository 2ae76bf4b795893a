import Foundation
import GraphStoreFiles
import GraphStoreSQLite
import Synchronization

/// Folder of a store's external data: a file for each large value, beside the store's own (STO-176).
///
/// Rows keep it, and read from it when a value is first asked for. Any thread may use it.
package final class ExternalDataFolder: Sendable {
  /// Files that no row names any more since a commit.
  private struct Retired {
    let commit: Int
    let names: [ExternalDataName]
  }

  private struct State {
    /// The path of the store.
    var store: String
    var retired: [Retired] = []
  }

  /// Bytes that are copied at a time.
  private static let chunk = 1 << 20

  private let state: Mutex<State>

  /// - Parameter store: The absolute path of the store. Symbolic links are followed, so that a store has one
  ///   folder under every name it is opened by.
  package init(besideStoreAt store: String) { state = Mutex(State(store: ResolvedPath.of(store))) }

  /// Follows the store to another path.
  package func move(besideStoreAt store: String) { state.withLock { $0.store = ResolvedPath.of(store) } }

  /// The path of the folder.
  package var path: String { Self.path(besideStoreAt: state.withLock(\.store)) }

  package static func path(besideStoreAt store: String) -> String {
    supportPath(besideStoreAt: store) + "/_EXTERNAL_DATA"
  }

  /// The path of the hidden folder around it.
  ///
  /// - Parameter store: The path of the store without symbolic links.
  package static func supportPath(besideStoreAt store: String) -> String {
    let slash = store.lastIndex(of: "/")
    let folder = slash.map { store[...$0] } ?? ""
    let file = slash.map { store[store.index(after: $0)...] } ?? store[...]
    // A name that begins with its only dot has no extension.
    let dot = file.lastIndex(of: ".").flatMap { $0 == file.startIndex ? nil : $0 }
    return "\(folder).\(file[..<(dot ?? file.endIndex)])_SUPPORT"
  }

  package func path(of name: ExternalDataName) -> String { "\(path)/\(name)" }

  // MARK: Writing

  /// Writes a file and makes its content durable; the folder is made where there is none.
  ///
  /// - Throws: `disk-full`, `store-permission`, `store-save-failed`; `external-data-missing` for a source
  ///   that is gone. No file is left behind then.
  package func write(_ name: ExternalDataName, from source: ExternalDataSource) throws {
    let store = state.withLock(\.store)
    try write(name, from: source, besideStoreAt: store, mode: Self.mode(ofStoreAt: store))
  }

  private func write(
    _ name: ExternalDataName, from source: ExternalDataSource, besideStoreAt store: String, mode: mode_t
  ) throws {
    try makeFolder(besideStoreAt: store, mode: mode)
    let path = "\(Self.path(besideStoreAt: store))/\(name)"
    // Never over what is there: a copy of the store may have the same content under the same name.
    try Self.makeFile(path, mode: mode) { file in
      try Self.copy(source, name, to: file, path)
      // Another process may have written to the source meanwhile.
      if case .file(let other, _) = source, source.size(name) == nil {
        throw GraphStoreError.missingExternalData(at: other, isSource: true)
      }
    }
  }

  /// Makes a file, in the place of one that is there, and its content durable; where that fails there is
  /// none.
  private static func makeFile(_ path: String, mode: mode_t, _ fill: (Int32) throws -> Void) throws {
    unsafe unlink(path)
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard file >= 0 else { throw failure(errno, path) }
    do {
      defer { close(file) }
      // The umask has no say: the file is as open as the store.
      fchmod(file, mode)
      try fill(file)
      guard fsync(file) == 0 else { throw failure(errno, path) }
    } catch {
      unsafe unlink(path)
      throw error
    }
  }

  /// Makes durable that the files are there.
  ///
  /// - Throws: `disk-full`, `store-permission`, `store-save-failed`.
  package func flush() throws { try flush(path) }

  private func flush(_ path: String) throws {
    let failure = FolderEntries.flush(path)
    guard failure == 0 else { throw Self.failure(failure, path) }
  }

  private func makeFolder(besideStoreAt store: String, mode: mode_t) throws {
    // Users that may read a file may list its folder.
    let folderMode = mode | (mode & 0o444) >> 2
    for folder in [Self.supportPath(besideStoreAt: store), Self.path(besideStoreAt: store)] {
      if unsafe mkdir(folder, folderMode) == 0 {
        unsafe chmod(folder, folderMode)
        try flush(folder.lastIndex(of: "/").map { String(folder[...$0]) } ?? ".")
      } else if errno != EEXIST {
        throw Self.failure(errno, folder)
      }
    }
  }

  private static func mode(ofStoreAt store: String) -> mode_t {
    var status = stat()
    return unsafe stat(store, &status) == 0 ? status.st_mode & 0o666 : 0o600
  }

  private static func copy(
    _ source: ExternalDataSource, _ name: ExternalDataName, to file: Int32, _ path: String
  ) throws {
    guard let other = source.path(name) else {
      guard let data = source.data(name) else { return }
      for region in data.regions {
        try unsafe region.withUnsafeBytes { try unsafe write($0, to: file, path) }
      }
      return
    }
    let input = unsafe open(other, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw GraphStoreError.missingExternalData(at: other, isSource: true) }
    defer { DatabaseFiles.close(input) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
    defer { unsafe buffer.deallocate() }
    while true {
      let count = unsafe read(input, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw GraphStoreError.missingExternalData(at: other, isSource: true) }
      if count == 0 { return }
      try unsafe write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: file, path)
    }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, _ path: String) throws {
    var position = 0
    while position < bytes.count {
      let size = min(bytes.count - position, chunk)
      let count = unsafe Foundation.write(file, bytes.baseAddress! + position, size)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(count < 0 ? errno : ENOSPC, path) }
      position += count
    }
  }

  private static func failure(_ code: Int32, _ path: String) -> GraphStoreError {
    switch code {
    case EACCES, EPERM, EROFS:
      GraphStoreError(
        .storePermission, "\(path) cannot be written.",
        remedy: "See to the right to write the folder beside the store; nothing was saved.")
    default: GraphStoreError.unwritten(path, code)
    }
  }

  // MARK: Copies of the store

  /// Links the files of the folder under a second name into another one, for a copy of the store: they never
  /// change, so that one content serves both. Where the file system has no such names they are copied.
  ///
  /// - Returns: The names that were not in the other folder before.
  /// - Throws: as ``write(_:from:)``.
  @discardableResult
  package func link(into other: ExternalDataFolder) throws -> [ExternalDataName] {
    try link(files().map(\.name), into: other)
  }

  /// Moves the files of the folder into another one.
  ///
  /// - Parameters:
  ///   - replacing: Whether they replace those of their names, which may be damaged; those of a folder that
  ///     another store has too stay.
  ///   - moved: Where the names of the files are added that were moved, also of those before a failure.
  /// - Throws: `migration-destination` where a file that stays has other content; `disk-full`,
  ///   `store-permission`, `store-save-failed`.
  package func move(into other: ExternalDataFolder, replacing: Bool, moved: inout [ExternalDataName]) throws {
    let names = files().map(\.name)
    guard !names.isEmpty else { return }
    try other.makeFolder(
      besideStoreAt: other.state.withLock(\.store), mode: Self.mode(ofStoreAt: state.withLock(\.store)))
    for name in names {
      let (own, target) = (path(of: name), other.path(of: name))
      if !replacing, FileIdentity(target, followsLinks: false) != nil {
        guard FileManager.default.contentsEqual(atPath: own, andPath: target) else {
          throw Self.differing(target)
        }
        continue
      }
      moved.append(name)
      // Of two names of one file the system keeps both.
      guard unsafe rename(own, target) == 0 else { throw Self.failure(errno, target) }
    }
    try other.flush()
  }

  private static func differing(_ path: String) -> GraphStoreError {
    GraphStoreError(
      .migrationDestination, "\(path), which another store names too, has other content than the store's.",
      remedy: "Give the store a name that differs before the extension, or put it into another folder.")
  }

  /// Makes files that are names of files elsewhere files of their own: whoever damages one damages no other.
  ///
  /// - Throws: `disk-full`, `store-permission`, `store-save-failed`.
  package func separate() throws {
    var isChanged = false
    for name in try listing() where FileIdentity.hasSeveralNames(path(of: name)) {
      try copyContent(of: name)
      isChanged = true
    }
    if isChanged { try flush() }
  }

  private func copyContent(of name: ExternalDataName) throws {
    let original = path(of: name)
    guard RegularFile.isReadable(original) else {
      throw GraphStoreError(
        .storePermission, "\(original) is a file of external data and cannot be read.",
        remedy: "See to the right to read the files beside the store.")
    }
    let copy = original + Self.unfinishedEnd
    try Self.makeFile(copy, mode: Self.mode(ofStoreAt: original)) { file in
      try Self.copy(.folder(self), name, to: file, copy)
    }
    guard unsafe rename(copy, original) == 0 else {
      let number = errno
      unsafe unlink(copy)
      throw Self.failure(number, original)
    }
  }

  /// Links some files of the folder under a second name into another one; those that are missing stay so.
  ///
  /// The other folder is as open as the store that the files are of: its own may not be there yet.
  ///
  /// - Returns: The names that were not in the other folder before.
  /// - Throws: as ``write(_:from:)``; the other folder is then what it was.
  @discardableResult
  package func link(
    _ names: [ExternalDataName], into other: ExternalDataFolder
  ) throws -> [ExternalDataName] {
    guard !names.isEmpty else { return [] }
    let store = other.state.withLock(\.store)
    let mode = Self.mode(ofStoreAt: state.withLock(\.store))
    var added: [ExternalDataName] = []
    do {
      try other.makeFolder(besideStoreAt: store, mode: mode)
      for name in names where try add(name, to: other, besideStoreAt: store, mode: mode) {
        added.append(name)
      }
      try other.flush()
    } catch {
      other.remove(added)
      other.removeIfEmpty()
      throw error
    }
    return added
  }

  /// - Returns: Whether the name is new there; not where the file is missing here, or is no regular one.
  private func add(
    _ name: ExternalDataName, to other: ExternalDataFolder, besideStoreAt store: String, mode: mode_t
  ) throws -> Bool {
    // A link, a pipe or a folder is none of the store's.
    guard RegularFile.size(path(of: name), followsLinks: false) != nil else { return false }
    if unsafe Foundation.link(path(of: name), other.path(of: name)) == 0 { return true }
    if errno == EEXIST || errno == ENOENT { return false }
    try other.write(name, from: .folder(self), besideStoreAt: store, mode: mode)
    return true
  }

  // MARK: Removing

  /// The end of the name of a copy that is not whole yet.
  private static let unfinishedEnd = "-copy"

  /// Removes copies that were not whole when their process ended.
  package func removeUnfinished() {
    let folder = path
    for entry in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where entry.hasSuffix(Self.unfinishedEnd) {
      unsafe unlink("\(folder)/\(entry)")
    }
  }

  /// Removes files at once; those that are gone already do not matter.
  package func remove(_ names: some Sequence<ExternalDataName>) {
    let folder = path
    for name in names { unsafe unlink("\(folder)/\(name)") }
  }

  /// Removes the folder where it holds nothing, and the hidden one around it.
  package func removeIfEmpty() {
    let store = state.withLock(\.store)
    for folder in [Self.path(besideStoreAt: store), Self.supportPath(besideStoreAt: store)] {
      unsafe rmdir(folder)
    }
  }

  /// Removes files that no row names since a commit, once no read transaction is open that began before it
  /// (STO-179).
  package func retire(_ names: [ExternalDataName], commit: Int) {
    if names.isEmpty { return }
    state.withLock { $0.retired.append(Retired(commit: commit, names: names)) }
  }

  /// Removes the files that were retired and that no open read transaction can name; none of a folder that
  /// another store has too, whose rows may name them.
  ///
  /// - Parameter oldestSnapshot: How many commits the oldest one knows of; nil where none is open. It is
  ///   asked once nothing more can be retired.
  package func removeRetired(oldestSnapshot: () -> Int?) {
    let due = state.withLock { state -> [Retired] in
      guard let oldest = oldestSnapshot() else {
        defer { state.retired = [] }
        return state.retired
      }
      let due = state.retired.filter { $0.commit <= oldest }
      state.retired.removeAll { $0.commit <= oldest }
      return due
    }
    guard !due.isEmpty, !isShared else { return }
    for retired in due { remove(retired.names) }
  }

  /// Whether files wait for read transactions to end.
  package var hasRetired: Bool { state.withLock { !$0.retired.isEmpty } }

  // MARK: Looking

  /// Whether another store beside this one has the same folder: its name differs in the extension alone.
  package var isShared: Bool { otherStore != nil }

  /// The path of another store that has the same folder.
  package var otherStore: String? {
    let store = state.withLock(\.store)
    let own = Self.supportPath(besideStoreAt: store)
    let parent = store.lastIndex(of: "/").map { String(store[...$0]) } ?? "./"
    let others = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    return others.lazy.map { parent + $0 }.first { other in
      // One that is being written may look like no whole store.
      other != store && Self.supportPath(besideStoreAt: other) == own && RegularFile.exists(other)
        && SQLiteFileHeader(path: other) != nil
    }
  }

  /// The names of the files that are there, for whoever copies all of them.
  ///
  /// - Throws: `store-permission` for a folder that is there and cannot be read.
  package func listing() throws -> [ExternalDataName] {
    let path = path
    if unsafe access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR { return [] }
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      return names.sorted().compactMap { ExternalDataName($0) }
    } catch {
      throw GraphStoreError(
        .storePermission, "\(path), the folder of external data, cannot be read.",
        remedy: "See to the right to read the folder beside the store.", underlying: error)
    }
  }

  /// The names of the files that are there, and their sizes.
  package func files() -> [(name: ExternalDataName, size: Int)] {
    let path = path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.sorted().compactMap { text in
      ExternalDataName(text).map { ($0, RegularFile.size("\(path)/\(text)") ?? 0) }
    }
  }
}
