import Foundation

/// Stores that real applications made, where there are any.
enum AppleStores {
  static let folder: String? = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().resolvingSymlinksInPath()
    for base in ["..", "../.."] {
      let path = root.appendingPathComponent(base + "/shared/data/apple/stores").standardizedFileURL.path
      if FileManager.default.fileExists(atPath: path) { return path }
    }
    return nil
  }()
}
