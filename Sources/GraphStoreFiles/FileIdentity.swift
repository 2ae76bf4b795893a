import Glibc

/// Identity of the file at a path: another one that replaces it has another identity.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// Nil where there is no file.
  ///
  /// - Parameter followsLinks: Whether the path may be a symbolic link.
  package init?(_ path: String, followsLinks: Bool = true) {
    var status = stat()
    guard unsafe (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    self.init(status)
  }

  /// The identity of a file that is open; nil for a descriptor that is none.
  package init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Whether the file at a path has another name too, wherever that is.
  package static func hasSeveralNames(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_nlink > 1
  }

  package init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}
