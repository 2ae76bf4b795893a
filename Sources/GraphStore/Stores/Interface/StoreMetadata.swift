import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Metadata of a store: its identifier, the hashes of its model, the model, and the values of programs.
///
/// Values that this version knows nothing of are kept as they are.
package struct StoreMetadata: Hashable, Sendable {
  /// Keys that have a meaning to the library.
  package enum Key {
    package static let type = "NSStoreType"
    package static let uuid = "NSStoreUUID"
    package static let hashes = "NSStoreModelVersionHashes"
    package static let hashesVersion = "NSStoreModelVersionHashesVersion"
    package static let versionIdentifiers = "NSStoreModelVersionIdentifiers"
    package static let digest = "NSStoreModelVersionHashesDigest"
    package static let checksum = "NSStoreModelVersionChecksumKey"
    package static let frameworkVersion = "NSPersistenceFrameworkVersion"
    package static let autoVacuum = "_NSAutoVacuumLevel"
    package static let format = "_GSFormat"
    package static let model = "_GSModel"
    package static let functions = "_GSIndexFunctions"
    /// Says that a migration has left indexes to be made later (MIG-251).
    package static let deferred = "_GSDeferredMigration"
    package static let configuration = "_GSConfiguration"
    /// The highest keys that objects have had, by root entity, of stores that programs have written.
    package static let highestKeys = "_GSHighestKeys"
    /// Says that values with external storage have their prefix, which those of earlier versions of the
    /// library lack.
    package static let externalData = "_GSExternalData"
  }

  /// The format that this version writes, and the newest that it reads.
  package static let currentFormat = 1
  /// The version of Core Data whose stores ours resemble.
  private static let frameworkVersion: Int64 = 1338

  /// Placeholder for an identifier that cannot be read.
  package static let unknownIdentifier = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  /// The store's identifier; part of the URI of each object, not of the property list.
  package var identifier: UUID
  /// Everything else by key, reserved keys and those of programs.
  package var values: [String: Value]

  /// The metadata of a file.
  package init(identifier: UUID, values: [String: Value]) {
    self.identifier = identifier
    self.values = values
  }

  /// The metadata of a new store, which carries its model: that of a model whose package lists Core Data's
  /// hashes has what Core Data writes, and nothing else.
  ///
  /// - Parameters:
  ///   - type: The name of the store's type.
  ///   - stored: The entities whose hashes are recorded.
  ///   - modelText: The model as JSON; by default the model's own, with its name.
  package init(
    identifier: UUID = UUID(), type: StoreType = .sqlite, _ stored: StoredEntities,
    modelText: String? = nil
  ) {
    let model = stored.model
    let listed = type == .sqlite ? stored.coreDataHashes : nil
    let hashes = listed ?? stored.versionHashes
    let identifiers = model.versionIdentifiers.isEmpty ? [""] : model.versionIdentifiers
    self.init(
      identifier: identifier,
      values: [
        Key.type: .string(type.rawValue),
        Key.hashes: .dictionary(hashes.mapValues { .data($0) }),
        Key.hashesVersion: .int(3),
        Key.versionIdentifiers: .list(identifiers.map { .string($0) }),
        Key.digest: .string(ManagedObjectModel.versionHashesDigest(of: hashes)),
        Key.checksum: .string(ManagedObjectModel.versionChecksum(of: hashes)),
        Key.frameworkVersion: .int(Self.frameworkVersion),
        Key.autoVacuum: .string("2"),
      ])
    guard listed == nil else { return }
    values[Key.format] = .int(Int64(Self.currentFormat))
    values[Key.externalData] = .int(1)
    values[Key.model] = .string(modelText ?? Self.text(of: model))
    if let configuration = stored.configuration { values[Key.configuration] = .string(configuration) }
  }

  /// The metadata of a new SQLite store with all entities of a model.
  package init(identifier: UUID = UUID(), model: ManagedObjectModel, modelText: String? = nil) {
    self.init(identifier: identifier, StoredEntities(model), modelText: modelText)
  }

  /// Everything, the identifier among it, as programs see it.
  package var all: [String: Value] {
    values.merging([Key.uuid: .string(identifier.uuidString)]) { _, identifier in identifier }
  }

  /// The recorded hashes by the entities' names.
  package var versionHashes: [String: Data] {
    guard case .dictionary(let hashes)? = values[Key.hashes] else { return [:] }
    return hashes.compactMapValues { if case .data(let hash) = $0 { hash } else { nil } }
  }

  /// The identifiers for people of the model's version.
  package var versionIdentifiers: [String] {
    guard case .list(let items)? = values[Key.versionIdentifiers] else { return [] }
    return items.compactMap { if case .string(let text) = $0, !text.isEmpty { text } else { nil } }
  }

  /// The digest over names and hashes.
  package var versionHashesDigest: String? { string(Key.digest) }

  /// The checksum over the hashes.
  package var versionChecksum: String? { string(Key.checksum) }

  /// The version of the framework that made the store.
  package var frameworkVersion: Int? { int(Key.frameworkVersion) }

  /// The configuration whose entities the store holds; nil for all of its model.
  package var configuration: String? { string(Key.configuration) }

  /// The version of our own format; nil for a store of Core Data.
  package var format: Int? { int(Key.format) }

  /// Whether values with external storage have their prefix (STO-177).
  package var hasExternalPrefixes: Bool { !isOurs || int(Key.externalData) != nil }

  /// Whether the store was made by this library, and not by Core Data.
  package var isOurs: Bool { format != nil }

  package func string(_ key: String) -> String? {
    if case .string(let text)? = values[key] { text } else { nil }
  }

  private func int(_ key: String) -> Int? {
    if case .int(let number)? = values[key] { Int(number) } else { nil }
  }
}

extension StoredEntities {
  /// The entities that a store with such metadata holds which was opened without the name of a configuration.
  package func narrowed(by metadata: StoreMetadata) -> StoredEntities {
    narrowed(recording: Set(metadata.versionHashes.keys), configuration: metadata.configuration)
  }
}
