import Foundation

/// File operations by path, for cases that clean up after themselves.
enum Files {
  static func read(_ path: String) -> [UInt8]? {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return nil }
    return [UInt8](data)
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  static func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

  static func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  /// Copies a file or a folder with all it holds; a pipe becomes a new pipe, which is not waited for.
  static func copy(_ source: String, to target: String) throws {
    switch kind(of: source) {
    case .typeDirectory:
      try makeFolder(target)
      for name in names(in: source) { try copy(source + "/" + name, to: target + "/" + name) }
    case .typeRegular, .typeSymbolicLink: try FileManager.default.copyItem(atPath: source, toPath: target)
    default: mkfifo(target, 0o600)
    }
  }

  /// What kind of file lies there, links as themselves; nil if there is none.
  static func kind(of path: String) -> FileAttributeType? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
  }

  static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Copies a database with whatever lies beside it under its name.
  static func copyStore(_ source: String, to target: String) throws {
    for suffix in ["", "-wal", "-shm", "-journal"] where kind(of: source + suffix) != nil {
      try copy(source + suffix, to: target + suffix)
    }
  }

  /// What a folder holds, in all depths: the path of each file with its content, links with what they name.
  static func listing(of folder: String) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? [] {
      let path = folder + "/" + name
      switch kind(of: path) {
      case .typeRegular: files[name] = read(path) ?? []
      case .typeSymbolicLink:
        files[name] = Array(
          ("-> " + ((try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? "")).utf8)
      case .typeDirectory: files[name + "/"] = []
      default: files[name] = Array("special".utf8)
      }
    }
    return files
  }
}
