import Foundation

/// Name of the file that holds a value of an attribute with external storage: a UUID in capitals, so that what a row holds
/// cannot lead to any other file (STO-176, STO-182).
struct ExternalDataName: Hashable, Sendable, CustomStringConvertible {
  /// Bytes of a name's text.
  static let length = 36

  /// The name of the file.
  let description: String

  /// A fresh name.
  init() { description = UUID().uuidString }

  /// Nil for text that is no UUID.
  init?(_ text: String) {
    guard text.utf8.count == Self.length, UUID(uuidString: text) != nil else { return nil }
    description = text
  }
}
