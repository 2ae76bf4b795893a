import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Version of the model that a store has: its hashes, and the model that it carries.
struct StoredVersion: Sendable {
  /// The hashes by entity that tell its version.
  let hashes: [String: Data]
  /// The hashes that it records, which of a store of Core Data are others.
  let recordedHashes: [String: Data]
  /// The configuration whose entities it holds; nil for all.
  let configuration: String?
  /// Whether another implementation made the store (MIG-278).
  let isForeign: Bool
  /// The store's identifier.
  let identifier: UUID
  private let path: String
  private let timeout: Duration

  /// Reads what a store says about itself, and changes nothing.
  ///
  /// - Throws: what is wrong with the path, from `store-not-found` to `store-corrupt`.
  init(
    at path: String, configuration: String? = nil, timeout: Duration = StoreOptions.defaultTimeout
  ) throws {
    let metadata = try SQLiteMetadataFile.read(path, timeout: timeout)
    self.configuration = configuration ?? metadata.configuration
    isForeign = !metadata.isOurs
    recordedHashes = metadata.versionHashes
    identifier = metadata.identifier
    (self.path, self.timeout) = (path, timeout)
    if metadata.isOurs {
      hashes = metadata.versionHashes
    } else {
      // Core Data's own hashes cannot be computed; those of the model that the store carries can.
      let carried = try? StoreModel.load(fromStoreAt: path, timeout: timeout).model
      hashes = carried.flatMap { try? StoredEntities($0, configuration: configuration).versionHashes } ?? [:]
    }
  }

  /// The model that the store carries, read when it is asked for; nil for none that can be read.
  var carried: ManagedObjectModel? { try? StoreModel.load(fromStoreAt: path, timeout: timeout).model }

  /// Whether a model has the hashes of the store.
  func fits(_ model: ManagedObjectModel) -> Bool {
    guard !hashes.isEmpty, let entities = try? StoredEntities(model, configuration: configuration) else {
      return false
    }
    return entities.versionHashes == hashes
  }

  /// The entities that the store holds, of its version's model. A model that lacks the configuration is taken as a whole.
  func entities(of model: ManagedObjectModel) -> StoredEntities {
    (try? StoredEntities(model, configuration: configuration)) ?? StoredEntities(model)
  }
}
