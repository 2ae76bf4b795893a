import Foundation
import GraphStoreModel
import GraphStorePredicates

extension IncrementalPersistentStore {
  /// Connects to a store: asks it for its metadata, and compares what they say of its model.
  ///
  /// - Parameters:
  ///   - path: The location of the store; nil for its type and UUID.
  ///   - type: The type that it was registered under; nil for the one that it tells.
  /// - Throws: `store-open` for metadata without type or UUID, `store-type-mismatch`, `incompatible-model`;
  ///   what the store throws.
  static func open(
    _ base: any IncrementalStore, at path: String? = nil, type: StoreType? = nil, _ entities: StoredEntities,
    layout: ModelLayout, _ options: StoreOptions, label: StoreLabel? = nil
  ) throws -> IncrementalPersistentStore {
    let metadata = try metadata(of: base, at: path, type: type, timeout: options.timeout)
    let place = path ?? "\(metadata.string(StoreMetadata.Key.type) ?? "")://\(metadata.identifier.uuidString)"
    let hashes = metadata.versionHashes
    if !hashes.isEmpty, hashes != entities.versionHashes {
      let name = metadata.string(StoreMetadata.Key.type) ?? ""
      throw GraphStoreError.incompatibility(
        metadata, given: entities, place: place, of: type ?? StoreType(rawValue: name))
    }
    return IncrementalPersistentStore(
      base, metadata, entities, layout: layout, path: place, options, label: label)
  }

  /// The metadata that a store tells.
  static func metadata(
    of base: any IncrementalStore, at path: String?, type: StoreType?, timeout: Duration
  ) throws -> StoreMetadata {
    let name = path ?? type?.rawValue ?? "\(Swift.type(of: base))"
    var values = try StoreCaller(name: name, timeout: timeout).call(
      "Opening \(name)", failure: .storeOpen
    ) { try await base.loadMetadata() }
    func text(_ key: String, _ example: String) throws -> String {
      if case .string(let text)? = values[key], !text.isEmpty { return text }
      throw GraphStoreError(
        .storeOpen, "The metadata of \(name) have no \(key).",
        remedy: "Let loadMetadata() return it as a text, such as \(example).", property: key)
    }
    let told = try text(StoreMetadata.Key.type, "\"\(type?.rawValue ?? "Service")\"")
    let uuid = try text(StoreMetadata.Key.uuid, "\"\(UUID().uuidString)\"")
    guard let identifier = UUID(uuidString: uuid) else {
      throw GraphStoreError(
        .storeOpen,
        "The metadata of \(name) have the \(StoreMetadata.Key.uuid) \"\(uuid)\", which is no UUID.",
        remedy: "Let loadMetadata() return the text of a UUID that is always the same.",
        property: StoreMetadata.Key.uuid)
    }
    if let type, told != type.rawValue {
      throw GraphStoreError(
        .storeTypeMismatch, "\(name) was to be opened as a store of type \(type), and is of type \(told).",
        remedy: "Register the type as \(told).")
    }
    values[StoreMetadata.Key.uuid] = nil
    return StoreMetadata(identifier: identifier, values: values)
  }
}
