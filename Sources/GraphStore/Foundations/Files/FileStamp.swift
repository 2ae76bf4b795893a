import Glibc

/// State of a file as others may change it: which file it is, its size, and when it was modified last.
package struct FileStamp: Hashable, Sendable {
  private let device, inode: UInt64
  package let size: Int
  private let seconds, nanoseconds: Int

  /// That of the file at a path, or at the end of a link; nil where there is no regular file.
  package init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(status)
  }

  /// That of a file that is open; nil for a descriptor that is none.
  package init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    size = Int(status.st_size)
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }

  /// The state as bytes.
  package var bytes: [UInt8] {
    [Int(bitPattern: UInt(device)), Int(bitPattern: UInt(inode)), size, seconds, nanoseconds].flatMap {
      word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
  }
}
