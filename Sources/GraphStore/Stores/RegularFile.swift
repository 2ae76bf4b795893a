import Foundation

/// Files that can be opened without waiting for somebody, as a pipe would make one.
enum RegularFile {
  /// Whether anything at all lies at a path.
  static func isTaken(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Whether what lies at a path may be written: of a folder, whether files may be made in it.
  static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }

  /// Whether a file lies at a path, or at the end of a link.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether a file of no bytes lies at a path.
  static func isEmpty(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }

  /// The first bytes of a file; nil where there is none that can be read.
  static func firstBytes(_ path: String, count: Int) -> [UInt8]? {
    guard exists(path) else { return nil }
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    let length = unsafe pread(file, &bytes, count, 0)
    return length < 0 ? nil : Array(bytes.prefix(length))
  }
}
