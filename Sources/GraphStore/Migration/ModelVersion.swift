import Foundation
import GraphStoreModel
import GraphStorePredicates

/// A version of a model, as a migration names it.
///
/// Hashes decide which version a store has, never names (MIG-004).
public struct ModelVersion: Sendable {
  /// The name in its directory; nil for a model that is in none.
  public let name: String?
  /// The model.
  public let model: ManagedObjectModel

  /// Names a model.
  public init(_ model: ManagedObjectModel, name: String? = nil) {
    self.model = model
    self.name = name
  }

  /// What people call it: its name, else the model's own label of its version, else the name of the model.
  public var label: String { name ?? model.definition.version ?? model.name }

  /// The version that a store was made with, among those of a directory; nil where none fits, and for a store that cannot
  /// be read (MIG-003).
  ///
  /// Nothing is written, nobody is kept out, and no side file is left (MIG-005).
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - versions: The versions; the newest that fits counts.
  ///   - configuration: The configuration that the store was added with; nil for the one that it records.
  public init?(storeAt path: String, in versions: ModelVersions, configuration: String? = nil) {
    guard let found = try? versions.version(ofStoreAt: path, configuration: configuration) else { return nil }
    self = found
  }
}

extension ModelVersions {
  /// The version that the store at a path was made with; nil where none fits.
  ///
  /// Versions are read from the newest on, until one has the hashes that the store records (MIG-002). Nothing is written,
  /// nobody is kept out, and no side file is left, also while the store is open elsewhere.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - configuration: The configuration that the store was added with; nil for the one that it records, which for most is
  ///     the whole model (MIG-006).
  /// - Throws: what is wrong with the path, from `store-not-found` to `store-corrupt`; ``/GraphStoreModel/ModelError`` for
  ///   a version that cannot be read.
  public func version(ofStoreAt path: String, configuration: String? = nil) throws -> ModelVersion? {
    try version(of: StoredVersion(at: path, configuration: configuration))
  }

  /// The newest version that has a store's hashes.
  func version(of stored: StoredVersion) throws -> ModelVersion? {
    for name in names.reversed() {
      let model = try model(named: name)
      if stored.isOf(model) { return ModelVersion(model, name: name) }
    }
    return nil
  }
}
