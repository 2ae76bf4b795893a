import Foundation
import GraphStoreFiles
import Synchronization

/// Content of files, pipes and devices.
///
/// A pipe can be read once. Its bytes are kept, so that a model which is read from one can be inspected for
/// its format and then be read.
enum StreamContents {
  /// The most bytes that are read: no model has as many, and what has no end is not to fill the memory.
  static let limit = 100_000_000

  private static let kept = Mutex<[FileIdentity: [UInt8]]>([:])

  /// All bytes of a file, or those that a pipe has delivered.
  static func bytes(at path: String) throws(ReadFailure) -> [UInt8] {
    // A pipe that has been read is not opened again: it may have no writer any more.
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw .system(errno) }
    let identity = FileIdentity(status)
    let isFile = status.st_mode & S_IFMT == S_IFREG
    if isFile, status.st_size > limit { throw .tooLong }
    if !isFile, let bytes = kept.withLock({ $0[identity] }) { return bytes }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(errno) }
    // The path passed for a model may be a store that this process has open.
    defer { DatabaseFiles.close(descriptor) }
    let bytes = try all(of: descriptor)
    if !isFile { kept.withLock { $0[identity] = bytes } }
    return bytes
  }

  private static func all(of descriptor: Int32) throws(ReadFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw .system(errno)
      }
      guard count > 0 else { return bytes }
      guard bytes.count + count <= limit else { throw .tooLong }
      bytes += buffer[..<count]
    }
  }
}

/// Why a file cannot be read as a whole.
enum ReadFailure: Error {
  /// A call of the system has failed, with this number.
  case system(Int32)
  /// There are more bytes than ``StreamContents/limit``.
  case tooLong
}
