import Foundation
import GraphStoreFiles
import GraphStoreSQLite

/// Files that can be opened without waiting for somebody, as a pipe would make one.
enum RegularFile {
  /// Whether anything at all lies at a path.
  static func isTaken(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Whether what lies at a path may be written: of a folder, whether files may be made in it.
  static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }

  /// Whether what lies at a path may be read.
  static func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

  /// Whether a file lies at a path, or at the end of a link.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether a folder lies at a path, or at the end of a link.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether a file of no bytes lies at a path.
  static func isEmpty(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }

  /// The first bytes of a file; nil where there is none that can be read.
  static func firstBytes(_ path: String, count: Int) -> [UInt8]? {
    exists(path) ? DatabaseFiles.firstBytes(path, count: count) : nil
  }

  /// How many bytes a file has; nil where there is none.
  ///
  /// - Parameter followsLinks: Whether the path may be a symbolic link.
  static func size(_ path: String, followsLinks: Bool = true) -> Int? {
    var status = stat()
    let found = unsafe followsLinks ? stat(path, &status) : lstat(path, &status)
    guard found == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// The bytes of a file, mapped: they stay as they are when the file is removed meanwhile. Nil where there is no file that
  /// can be read.
  ///
  /// - Parameter followsLinks: Whether the path may be a symbolic link.
  static func mapped(_ path: String, followsLinks: Bool = true) -> Data? {
    let file = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW))
    guard file >= 0 else { return nil }
    defer { DatabaseFiles.close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let size = Int(status.st_size)
    if size == 0 { return Data() }
    guard let start = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), unsafe start != MAP_FAILED
    else {
      return nil
    }
    return unsafe Data(bytesNoCopy: start, count: size, deallocator: .unmap)
  }
}
