import CGraphStoreShims
import Foundation
import GraphStoreFiles
import GraphStoreSQLite

/// A file that appears at a path that is free when it is whole: it is made under another name beside it.
///
/// A file that is not moved to its path is removed again, with what SQLite put beside it.
final class NewFile {
  /// Reason why a file could not be made.
  enum Failure: Error {
    /// The path is taken.
    case isTaken
    /// The file system cannot rename a file only where the name is free.
    case cannotBePlaced
    /// The system's own reason.
    case system(Int32)
  }

  /// The file's path until it is moved to its final one.
  let temporaryPath: String
  private let path: String
  private let descriptor: Int32
  private var isPlaced = false

  /// Makes an empty file, with the permissions that the umask leaves of 0666.
  init(for path: String) throws(Failure) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "./"
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    for _ in 0..<100 {
      // A name may have 255 bytes; the part of the path is for people only.
      let other = "\(folder).\(name.prefix(50)).\(Self.randomLetters())"
      let file = unsafe open(other, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if file >= 0 {
        self.path = path
        temporaryPath = other
        descriptor = file
        return
      }
      guard errno == EEXIST else { throw .system(errno) }
    }
    throw .system(EEXIST)
  }

  deinit {
    DatabaseFiles.close(descriptor)
    guard !isPlaced else { return }
    for suffix in ["", "-journal", "-wal", "-shm"] { unsafe unlink(temporaryPath + suffix) }
  }

  /// Writes the whole content.
  func write(_ bytes: [UInt8]) throws(Failure) { try FileContent.write(bytes, to: descriptor) }

  /// Makes the content durable and renames the file to its final name.
  func place() throws(Failure) {
    // A journal that SQLite leaves behind is of a change that it could neither finish nor roll back: changing
    // the journal mode does not report that.
    guard FileIdentity(temporaryPath + "-journal") == nil else { throw .system(EIO) }
    guard fsync(descriptor) == 0 else { throw .system(errno) }
    try rename()
    let failure = FolderEntries.flush(beside: path)
    guard failure == 0 else {
      // A name that may be gone after a crash is none.
      unsafe unlink(path)
      throw .system(failure)
    }
    isPlaced = true
  }

  private func rename() throws(Failure) {
    if unsafe gs_rename_to_free(temporaryPath, path) == 0 { return }
    switch errno {
    case EEXIST: throw .isTaken
    case EINVAL, ENOSYS, ENOTSUP: break
    default: throw .system(errno)
    }
    guard unsafe link(temporaryPath, path) == 0 else {
      switch errno {
      case EEXIST: throw .isTaken
      case EPERM, ENOSYS, ENOTSUP, EMLINK: throw .cannotBePlaced
      default: throw .system(errno)
      }
    }
    unsafe unlink(temporaryPath)
  }

  private static func randomLetters() -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<6).map { _ in letters[Int.random(in: letters.indices)] })
  }
}
