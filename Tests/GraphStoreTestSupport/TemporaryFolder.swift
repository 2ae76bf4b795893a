import Foundation

/// A folder of its own for a test, which goes with the object.
package final class TemporaryFolder {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("graphstore-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package var path: String { url.path }

  /// The path of a file in it.
  package func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file, with the folders it is in.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try write(Data(text.utf8), to: name)
  }

  /// Writes a file, with the folders it is in.
  @discardableResult
  package func write(_ data: Data, to name: String) throws -> String {
    let file = URL(fileURLWithPath: file(name))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
    return file.path
  }
}
