import Foundation

/// A model as people name it: a file, a directory of versions for its current one, or `DIRECTORY#VERSION`.
public struct ModelReference: Hashable, Sendable {
  /// The file or directory.
  public let path: String
  /// The version; nil for the current one.
  public let version: String?

  /// Takes a name apart; a `#` in the name of something that is there belongs to it.
  public init(_ text: String) {
    let files = FileManager.default
    let hashes = files.fileExists(atPath: text) ? [] : text.indices.filter { text[$0] == "#" }
    let place = hashes.reversed().first {
      $0 > text.startIndex && files.fileExists(atPath: String(text[..<$0]))
    }
    path = place.map { String(text[..<$0]) } ?? text
    version = place.map { String(text[text.index(after: $0)...]) }
  }
}
