import Foundation
import GraphStoreModel

/// Circumstances under which a store of a type that a program has written is opened.
///
/// ```swift
/// let place = URL(fileURLWithPath: "staff.notebook")
/// let opening = StoreOpening(url: place, type: StoreType(rawValue: "Notebook"))
/// print(opening.url.lastPathComponent, opening.isReadOnly)  // staff.notebook false
/// ```
public struct StoreOpening: Sendable {
  /// The location, which need not be a file.
  public let url: URL
  /// The type by which the store was registered.
  public let type: StoreType
  /// The options; those without a meaning for the type among them.
  public let options: StoreOptions
  /// The model of the objects; nil where the store is to be opened with the model that it carries.
  public let model: ManagedObjectModel?

  /// Whether nothing may be written.
  public var isReadOnly: Bool { options.isReadOnly }

  /// Makes the circumstances, as tests of a store need them.
  public init(
    url: URL, type: StoreType, options: StoreOptions = StoreOptions(), model: ManagedObjectModel? = nil
  ) {
    (self.url, self.type, self.options, self.model) = (url, type, options, model)
  }
}

/// Location of a store as text: of a file its path, of anything else its URL, that of a server without
/// passwords.
package enum LocationText {
  /// The text of a location.
  package static func of(_ url: URL) -> String {
    url.isFileURL ? url.path : ServerAddress.shown(url.absoluteString)
  }

  /// The location that a text names.
  package static func url(_ text: String) -> URL {
    let text = ServerAddress.shown(text)
    if text.contains("://"), let url = URL(string: text), url.scheme != nil { return url }
    return URL(fileURLWithPath: text)
  }
}
