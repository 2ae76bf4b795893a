import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Metadata of a store: its identifier, the hashes of its model, the model, and the values of programs.
///
/// Values that this version knows nothing of are kept as they are.
package struct StoreMetadata: Hashable, Sendable {
  /// Keys that have a meaning to the library.
  enum Key {
    static let type = "NSStoreType"
    static let uuid = "NSStoreUUID"
    static let hashes = "NSStoreModelVersionHashes"
    static let hashesVersion = "NSStoreModelVersionHashesVersion"
    static let versionIdentifiers = "NSStoreModelVersionIdentifiers"
    static let digest = "NSStoreModelVersionHashesDigest"
    static let checksum = "NSStoreModelVersionChecksumKey"
    static let frameworkVersion = "NSPersistenceFrameworkVersion"
    static let autoVacuum = "_NSAutoVacuumLevel"
    static let format = "_GSFormat"
    static let model = "_GSModel"
    static let functions = "_GSIndexFunctions"
    /// Says that a migration has left indexes to be made later (MIG-251).
    static let deferred = "_GSDeferredMigration"
    static let configuration = "_GSConfiguration"
    /// The highest keys that objects have had, by root entity, of stores that programs have written.
    static let highestKeys = "_GSHighestKeys"
    /// Says that values with external storage have their prefix, which those of earlier versions of the
    /// library lack.
    static let externalData = "_GSExternalData"
  }

  /// The format that this version writes, and the newest that it reads.
  static let currentFormat = 1
  /// The version of Core Data whose stores ours resemble.
  private static let frameworkVersion: Int64 = 1338

  /// Placeholder for an identifier that cannot be read.
  static let unknownIdentifier = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  /// The store's identifier; part of the URI of each object, not of the property list.
  var identifier: UUID
  /// Everything else by key, reserved keys and those of programs.
  var values: [String: Value]

  /// The metadata of a file.
  init(identifier: UUID, values: [String: Value]) {
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
  init(
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
  init(identifier: UUID = UUID(), model: ManagedObjectModel, modelText: String? = nil) {
    self.init(identifier: identifier, StoredEntities(model), modelText: modelText)
  }

  /// Everything, the identifier among it, as programs see it.
  var all: [String: Value] {
    values.merging([Key.uuid: .string(identifier.uuidString)]) { _, identifier in identifier }
  }

  /// The recorded hashes by the entities' names.
  var versionHashes: [String: Data] {
    guard case .dictionary(let hashes)? = values[Key.hashes] else { return [:] }
    return hashes.compactMapValues { if case .data(let hash) = $0 { hash } else { nil } }
  }

  /// The identifiers for people of the model's version.
  var versionIdentifiers: [String] {
    guard case .list(let items)? = values[Key.versionIdentifiers] else { return [] }
    return items.compactMap { if case .string(let text) = $0, !text.isEmpty { text } else { nil } }
  }

  /// The digest over names and hashes.
  var versionHashesDigest: String? { string(Key.digest) }

  /// The checksum over the hashes.
  var versionChecksum: String? { string(Key.checksum) }

  /// The version of the framework that made the store.
  var frameworkVersion: Int? { int(Key.frameworkVersion) }

  /// The configuration whose entities the store holds; nil for all of its model.
  var configuration: String? { string(Key.configuration) }

  /// The version of our own format; nil for a store of Core Data.
  var format: Int? { int(Key.format) }

  /// Whether values with external storage have their prefix (STO-177).
  var hasExternalPrefixes: Bool { !isOurs || int(Key.externalData) != nil }

  /// Whether the store was made by this library, and not by Core Data.
  var isOurs: Bool { format != nil }

  func string(_ key: String) -> String? {
    if case .string(let text)? = values[key] { text } else { nil }
  }

  private func int(_ key: String) -> Int? {
    if case .int(let number)? = values[key] { Int(number) } else { nil }
  }
}

extension StoredEntities {
  /// The entities that a store with such metadata holds which was opened without the name of a configuration.
  func narrowed(by metadata: StoreMetadata) -> StoredEntities {
    narrowed(recording: Set(metadata.versionHashes.keys), configuration: metadata.configuration)
  }
}
