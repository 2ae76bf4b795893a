import Foundation
import Synchronization

/// Content of files, pipes and devices.
///
/// A pipe gives its bytes once. They are kept, so that a model which comes through one can be looked at to tell its format
/// and then be read.
enum StreamContents {
  private struct Identity: Hashable {
    var device: dev_t
    var inode: ino_t
  }

  private static let kept = Mutex<[Identity: [UInt8]]>([:])

  /// All bytes of a file, or those that a pipe has given.
  static func bytes(at path: String) throws(SystemFailure) -> [UInt8] {
    // A pipe that has been read is not opened again: there may be nobody who writes into it any more.
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw SystemFailure() }
    let identity = Identity(device: status.st_dev, inode: status.st_ino)
    let isFile = status.st_mode & S_IFMT == S_IFREG
    if !isFile, let bytes = kept.withLock({ $0[identity] }) { return bytes }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFailure() }
    defer { close(descriptor) }
    let bytes = try all(of: descriptor)
    if !isFile { kept.withLock { $0[identity] = bytes } }
    return bytes
  }

  private static func all(of descriptor: Int32) throws(SystemFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw SystemFailure()
      }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }
}

/// Failure of a call of the system, by its number.
struct SystemFailure: Error {
  private let number = errno

  /// What the system says, such as `Permission denied`.
  var text: String { unsafe String(cString: strerror(number)) }
}
