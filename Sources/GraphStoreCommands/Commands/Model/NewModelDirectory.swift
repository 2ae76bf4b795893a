import Foundation

/// A directory that appears under its name only when all of it is written.
final class NewModelDirectory {
  private let path: String
  private let temporary: String
  private var isFinished = false

  /// Begins a directory at a path that is free.
  init(_ path: String) throws {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    guard !FileManager.default.fileExists(atPath: path) else {
      throw Diagnostic(
        code: "cannot-create", message: "\(path) is there already, and a directory is never replaced",
        hints: ["remove it first, or name another"], exitCode: .cannotCreate)
    }
    self.path = path
    temporary = path + ".unfinished-" + UUID().uuidString.prefix(8)
    do {
      try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: false)
    } catch {
      throw Diagnostic(
        code: "cannot-create", message: "cannot create the folder \(path)",
        hints: ["see to the folder it is in"],
        exitCode: .cannotCreate)
    }
  }

  deinit {
    if !isFinished { try? FileManager.default.removeItem(atPath: temporary) }
  }

  /// Writes a file in it, with the folders it is in.
  func write(_ data: Data, to name: String) throws {
    let path = temporary + "/" + name
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let file = try AtomicFile(path: path)
    let buffer = OutputBuffer(descriptor: file.descriptor, path: path)
    buffer.append(Array(data))
    try buffer.flush()
    try file.commit()
  }

  /// Gives it its name.
  func commit() throws {
    guard rename(temporary, path) == 0 else {
      throw OutputError(errno: errno, path: path, creating: true)
    }
    isFinished = true
  }
}
