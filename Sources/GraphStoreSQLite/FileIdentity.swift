import Glibc

/// Which file lies at a path: another one that takes its place has another identity.
public struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// Nil where there is no file.
  public init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The identity of a file that is open; nil for a descriptor that is none.
  public init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}
