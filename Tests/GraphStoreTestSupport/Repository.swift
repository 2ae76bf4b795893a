import Foundation

/// The folders of the repository that tests read.
///
/// They are found from this file's own place, once for all test targets, so that a test may move without
/// looking in the wrong folder.
package enum Repository {
  /// The folder that holds `Package.swift`.
  package static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The models the repository ships.
  package static let models = root.appendingPathComponent("Models")

  /// A folder of real data that may lie beside the repository; nil where there is none.
  package static func sharedData(_ path: String) -> URL? {
    ["..", "../.."].lazy.map { root.appendingPathComponent("\($0)/shared/data/\(path)").standardizedFileURL }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }
}
