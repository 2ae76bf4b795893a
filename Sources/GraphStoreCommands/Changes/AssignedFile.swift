import Foundation
import GraphStore

/// File that a word of a command names as a value: read at once, but for a large one that is there to stay,
/// which is read or copied when its content is needed.
struct AssignedFile {
  let path: String
  /// Nil for a large file.
  private let content: [UInt8]?

  /// - Throws: what keeps the file from being read.
  init(path: String) throws(InputError) {
    self.path = path
    content = Self.isLarge(path) ? nil : try InputFile.contents(path: path)
  }

  /// Whether a path is that of a regular file that is worth not being read at once; nothing is opened, since
  /// what is no regular file can be read only once.
  private static func isLarge(_ path: String) -> Bool {
    var status = stat()
    guard path != "-", unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return false
    }
    return unsafe access(path, R_OK) == 0 && status.st_size > StoreOptions.defaultExternalStorageThreshold
  }

  /// Whether the content has not been read yet.
  var isLarge: Bool { content == nil }

  /// The whole content.
  func bytes() throws(InputError) -> [UInt8] {
    if let content { return content }
    return try InputFile.contents(path: path)
  }
}
