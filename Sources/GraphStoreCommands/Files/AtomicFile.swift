import Foundation
import GraphStoreReports

/// Atomically replaced file: it is written beside its name and takes its place when it is whole.
///
/// What is no regular file (a pipe, `/dev/null`) is written directly, and one whose name ends in `.gz` with
/// gzip. A file that is never committed is removed.
final class AtomicFile {
  /// Where to write.
  let output: OutputBuffer
  private let descriptor: Int32
  private let path: String
  private let target: String
  private let temporary: String?
  private var isFinished = false

  /// Begins to write a file. An existing one keeps its permissions; a symbolic link keeps pointing to it.
  init(path: String) throws(OutputError) {
    self.path = path
    target = Self.resolve(path)
    var status = stat()
    let exists = unsafe stat(target, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      descriptor = unsafe open(target, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw OutputError(errno: errno, path: path, creating: true) }
      output = OutputBuffer(descriptor: descriptor, path: path, compresses: FileEnding.isGzip(path))
      temporary = nil
      return
    }
    if exists, unsafe access(target, W_OK) != 0 {
      throw OutputError(errno: errno, path: path, creating: true)
    }
    ProcessSignals.watch()
    var template = Array(Self.template(for: target).utf8CString)
    descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { throw OutputError(errno: errno, path: path, creating: true) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    fchmod(descriptor, exists ? status.st_mode & 0o7777 : 0o666 & ~Self.mask())
    let name = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    temporary = name
    output = OutputBuffer(descriptor: descriptor, path: path, compresses: FileEnding.isGzip(path))
    UnfinishedFiles.add(name)
  }

  deinit {
    discard()
  }

  /// Writes out what is left, makes the file durable, and gives it its name.
  func commit() throws(OutputError) {
    guard !isFinished else { return }
    try output.finish()
    isFinished = true
    defer { close(descriptor) }
    guard let temporary else { return }
    defer { UnfinishedFiles.remove(temporary) }
    guard fsync(descriptor) == 0, unsafe rename(temporary, target) == 0 else {
      let number = errno
      unsafe unlink(temporary)
      throw OutputError(errno: number, path: path)
    }
    let directory = unsafe open(Self.directory(of: target), O_RDONLY | O_CLOEXEC)
    if directory >= 0 {
      fsync(directory)
      close(directory)
    }
  }

  /// Removes what was written; the file that was there before stays as it was.
  func discard() {
    guard !isFinished else { return }
    isFinished = true
    close(descriptor)
    guard let temporary else { return }
    unsafe unlink(temporary)
    UnfinishedFiles.remove(temporary)
  }

  private static func resolve(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  private static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func template(for path: String) -> String {
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    // A name may have 255 bytes; the part of ours is for people only.
    return directory(of: path) + "/." + name.prefix(50) + ".XXXXXX"
  }

  private static func mask() -> mode_t {
    let mask = umask(0o077)
    umask(mask)
    return mask
  }
}
