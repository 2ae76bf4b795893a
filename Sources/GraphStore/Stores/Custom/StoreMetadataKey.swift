import Foundation
import GraphStorePredicates

/// Names of the metadata that every store has.
///
/// The library makes the metadata of a new store, and a store keeps what it is given as it is. Only one that
/// holds data which it did not get from the library makes them itself:
///
/// ```swift
/// let metadata = StoreMetadataKey.metadata(type: StoreType(rawValue: "Notebook"), identifier: UUID())
/// print(metadata.keys.sorted())  // ["NSStoreType", "NSStoreUUID"]
/// ```
public enum StoreMetadataKey {
  /// The name of the store's type, a text.
  public static let type = StoreMetadata.Key.type
  /// The store's UUID, as text; a part of the URI of each object.
  public static let identifier = StoreMetadata.Key.uuid

  /// The least metadata that a store can have.
  public static func metadata(type: StoreType, identifier: UUID) -> [String: Value] {
    [self.type: .string(type.rawValue), self.identifier: .string(identifier.uuidString)]
  }
}

extension StoreMetadata {
  /// The metadata that a store of a type which a program has written has given.
  ///
  /// - Throws: `store-open` with the name of a key that is missing or wrong; `store-type-mismatch` for the
  ///   metadata of another type.
  init(_ given: [String: Value], of type: StoreType, at place: String) throws {
    func text(_ key: String) throws -> String {
      if case .string(let text)? = given[key] { return text }
      throw Self.unusable(key, place)
    }
    let found = try text(Key.type)
    guard found == type.rawValue else {
      throw GraphStoreError(
        .storeTypeMismatch, "\(place) was to be opened as a store of type \(type), and is of type \(found).",
        remedy: "Give the type \(found).")
    }
    guard let identifier = UUID(uuidString: try text(Key.uuid)) else { throw Self.unusable(Key.uuid, place) }
    self.init(identifier: identifier, values: given.filter { $0.key != Key.uuid })
  }

  private static func unusable(_ key: String, _ place: String) -> GraphStoreError {
    GraphStoreError(
      .storeOpen, "The metadata of \(place) have no text under \(key) that could be used.",
      remedy: "Have the store keep all metadata that it is given, and give them back.", property: key)
  }
}
