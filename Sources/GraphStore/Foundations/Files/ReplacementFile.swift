import CGraphStoreShims
import Foundation
import Glibc
import GraphStoreFiles

/// New content of a file, which takes the place of the old one when it is whole: at every moment the path has
/// the one or the other.
///
/// It is written beside the file under a hidden name, and is removed again unless it has taken its place;
/// what a killed process leaves is removed by the next one that saves.
final class ReplacementFile {
  /// The path of the file that is replaced, without symbolic links.
  private let path: String
  private let temporaryPath: String
  private let descriptor: Int32

  /// Makes an empty file beside one; the folder has to be writable.
  ///
  /// - Parameter path: The file that is to be replaced, without symbolic links.
  init(of path: String) throws(NewFile.Failure) {
    let (folder, prefix) = Self.place(of: path)
    for _ in 0..<100 {
      let other = folder + prefix + LeftoverLabel.random()
      let file = unsafe open(other, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard file >= 0 else {
        guard errno == EEXIST else { throw .system(errno) }
        continue
      }
      // Tells others that its process lives; without such locks nobody removes what was left.
      _ = flock(file, LOCK_EX | LOCK_NB)
      unsafe gs_add_unfinished(other)
      self.path = path
      temporaryPath = other
      descriptor = file
      return
    }
    throw .system(EEXIST)
  }

  deinit {
    unsafe unlink(temporaryPath)
    unsafe gs_remove_unfinished(temporaryPath)
    close(descriptor)
  }

  /// Writes the content and makes it durable, with the mode and, where the process may set them, the owner
  /// and the extended attributes of the old file.
  func write(_ bytes: [UInt8]) throws(NewFile.Failure) {
    try FileContent.write(bytes, to: descriptor)
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      // Changing the owner may take bits off the mode.
      _ = fchown(descriptor, status.st_uid, status.st_gid)
      fchmod(descriptor, status.st_mode & 0o7777)
      ExtendedAttributes.copy(from: path, toFile: descriptor)
    } else {
      let mask = umask(0o077)
      umask(mask)
      fchmod(descriptor, 0o666 & ~mask)
    }
    guard fsync(descriptor) == 0 else { throw .system(errno) }
  }

  /// Takes the place of the old file.
  ///
  /// - Returns: Its state at its place.
  func takePlace() throws(NewFile.Failure) -> FileStamp {
    guard let stamp = FileStamp(descriptor: descriptor) else { throw .system(errno) }
    guard unsafe rename(temporaryPath, path) == 0 else { throw .system(errno) }
    return stamp
  }

  /// Removes what killed processes left beside a file.
  static func removeLeftovers(of path: String) {
    let (folder, prefix) = place(of: path)
    for entry in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where LeftoverLabel.ends(entry, after: prefix) {
      let file = unsafe open(folder + entry, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
      guard file >= 0 else { continue }
      if flock(file, LOCK_EX | LOCK_NB) == 0 { unsafe unlink(folder + entry) }
      close(file)
    }
  }

  /// The folder of a file, and how the names of its replacements begin: a name may have 255 bytes.
  private static func place(of path: String) -> (folder: String, prefix: String) {
    let slash = path.lastIndex(of: "/")
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    return (slash.map { String(path[...$0]) } ?? "./", ".\(name.prefix(50)).saving-")
  }
}

/// The content of a file, read and written as a whole.
enum FileContent {
  /// Writes all bytes, from the beginning of a file.
  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(NewFile.Failure) {
    var position = 0
    while position < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe pwrite(descriptor, buffer.baseAddress! + position, buffer.count - position, off_t(position))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .system(count < 0 ? errno : ENOSPC) }
      position += count
    }
  }

  /// Reads the regular file at a path, which another process may be writing: not mapped, since one that is
  /// cut meanwhile would end the process.
  ///
  /// - Returns: The bytes, and the state of the file of which they are the content.
  static func read(_ path: String) throws(NewFile.Failure) -> (bytes: [UInt8], stamp: FileStamp) {
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(errno) }
    defer { DatabaseFiles.close(descriptor) }
    for _ in 0..<10 {
      guard let before = FileStamp(descriptor: descriptor) else { throw .system(errno) }
      let bytes = try all(descriptor)
      if FileStamp(descriptor: descriptor) == before { return (bytes, before) }
    }
    throw .system(EAGAIN)
  }

  private static func all(_ descriptor: Int32) throws(NewFile.Failure) -> [UInt8] {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .system(errno) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var position = 0
    while position < bytes.count {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(descriptor, buffer.baseAddress! + position, buffer.count - position, off_t(position))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system(errno) }
      if count == 0 { break }
      position += count
    }
    bytes.removeLast(bytes.count - position)
    return bytes
  }
}
