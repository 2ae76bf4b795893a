import CGraphStoreShims
import Foundation
import Glibc
import GraphStoreFiles
import GraphStoreSQLite

/// Files that can be opened without waiting for another process, as a pipe requires.
enum RegularFile {
  /// Whether there is anything at all at a path.
  static func isTaken(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Whether the file at a path may be written: for a folder, whether files may be made in it.
  static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }

  /// Whether the file at a path may be read.
  static func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

  /// Whether there is a file at a path, or at the end of a link.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether there is a folder at a path, or at the end of a link.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether there is a file of no bytes at a path.
  static func isEmpty(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }

  /// The first bytes of a file; nil where there is none that can be read.
  static func firstBytes(_ path: String, count: Int) -> [UInt8]? {
    exists(path) ? DatabaseFiles.firstBytes(path, count: count) : nil
  }

  /// The size of a file in bytes; nil where there is none.
  ///
  /// - Parameter followsLinks: Whether the path may be a symbolic link.
  static func size(_ path: String, followsLinks: Bool = true) -> Int? {
    var status = stat()
    let found = unsafe followsLinks ? stat(path, &status) : lstat(path, &status)
    guard found == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// The bytes of a file, mapped: they stay as they are when the file is removed meanwhile. Nil where there
  /// is no file that can be read.
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

/// Names of the files in a folder, which are durable once the folder is flushed, as the files' contents are
/// by themselves.
enum FolderEntries {
  /// Makes the folder of a path durable.
  ///
  /// - Returns: The number of the system's error; 0 for none, and where the file system knows no flushing of
  ///   folders.
  static func flush(beside path: String) -> Int32 {
    flush(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".")
  }

  /// Makes the entries of a folder durable.
  ///
  /// - Returns: As ``flush(beside:)``.
  static func flush(_ folder: String) -> Int32 {
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // A folder that may be written need not be one that may be read.
    guard descriptor >= 0 else { return errno == EACCES ? 0 : errno }
    defer { close(descriptor) }
    guard fsync(descriptor) != 0, errno != EINVAL, errno != ENOTSUP else { return 0 }
    return errno
  }
}

/// Attributes that a file system keeps with a file beside its mode and times.
enum ExtendedAttributes {
  /// Copies those of another file to a file, as far as the process may; on file systems without any it does
  /// nothing.
  static func copy(from path: String, toFile descriptor: Int32) {
    let length = unsafe gs_listxattr(path, nil, 0)
    guard length > 0 else { return }
    var names = [CChar](repeating: 0, count: length)
    guard unsafe gs_listxattr(path, &names, names.count) == length else { return }
    for name in names.split(separator: 0).map({ Array($0) + [0] }) {
      let size = unsafe gs_getxattr(path, name, nil, 0)
      guard size >= 0 else { continue }
      var value = [UInt8](repeating: 0, count: max(size, 1))
      guard unsafe gs_getxattr(path, name, &value, size) == size else { continue }
      _ = unsafe gs_fsetxattr(descriptor, name, value, size)
    }
  }
}

/// Room on a file system.
enum DiskSpace {
  /// The number of bytes that the process may still write in a folder; nil where that is unknown.
  static func free(at folder: String) -> Int? {
    var status = statvfs()
    guard unsafe statvfs(folder, &status) == 0 else { return nil }
    let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflow ? Int.max : Int(clamping: bytes)
  }
}
