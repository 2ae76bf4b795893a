import Foundation
import GraphStorePredicates

extension ManagedObjectModel {
  /// The 32-byte version hash of every entity by name.
  public var entityVersionHashesByName: [String: Data] { entitiesByName.mapValues(\.versionHash) }

  /// Base64 of SHA-256 over the hashes of all entities, in byte order of their names.
  public var versionChecksum: String { Self.versionChecksum(of: entityVersionHashesByName) }

  /// Base64 of SHA-256 over hashes, in byte order of the names they belong to.
  package static func versionChecksum(of hashes: [String: Data]) -> String {
    Data(SHA256.hash(sorted(hashes).flatMap(\.value))).base64EncodedString()
  }

  /// Base64 of SHA-512 over each name's UTF-8 and its hash, in byte order of the names.
  package static func versionHashesDigest(of hashes: [String: Data]) -> String {
    Data(SHA512.hash(sorted(hashes).flatMap { Array($0.key.utf8) + $0.value })).base64EncodedString()
  }

  /// Whether hashes that a store recorded are exactly those of a configuration's entities; of all entities
  /// for nil.
  ///
  /// - Throws: ``ModelLookupError`` for an unknown configuration.
  public func isConfiguration(
    withName name: String?, compatibleWithHashes hashes: [String: Data]
  ) throws(ModelLookupError) -> Bool {
    let members = try entities(forConfigurationName: name)
    return members.count == hashes.count && members.allSatisfy { hashes[$0.name] == $0.versionHash }
  }

  /// Whether a store with this metadata fits a configuration, or the whole model for nil: it records exactly
  /// its entities, each with an equal hash.
  ///
  /// - Throws: ``ModelLookupError`` for an unknown configuration.
  public func isConfiguration(
    withName name: String?, compatibleWithStoreMetadata metadata: [String: Value]
  ) throws(ModelLookupError) -> Bool {
    try isConfiguration(withName: name, compatibleWithHashes: StoreHashes(metadata).byEntity)
  }

  private static func sorted(_ hashes: [String: Data]) -> [(key: String, value: Data)] {
    hashes.sorted { VersionHash.precedes($0.key, $1.key) }
  }
}

/// The version hashes that a store's metadata records.
struct StoreHashes {
  /// The hashes by the entities' names; empty where the metadata records none.
  let byEntity: [String: Data]

  init(_ metadata: [String: Value]) {
    guard case .dictionary(let hashes)? = metadata["NSStoreModelVersionHashes"] else {
      byEntity = [:]
      return
    }
    byEntity = hashes.compactMapValues { if case .data(let hash) = $0 { hash } else { nil } }
  }
}
