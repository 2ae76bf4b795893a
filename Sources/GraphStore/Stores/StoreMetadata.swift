import Foundation
import GraphStoreModel
import GraphStorePredicates

/// What a store says about itself: its identifier, the hashes of its model, the model, and what programs noted.
///
/// Values that this version knows nothing of are kept as they are.
struct StoreMetadata: Hashable, Sendable {
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
    static let configuration = "_GSConfiguration"
  }

  /// The format that this version writes, and the newest that it reads.
  static let currentFormat = 1
  /// The version of Core Data whose stores ours resemble.
  private static let frameworkVersion: Int64 = 1338
  private static let reservedPrefixes = ["NSStore", "NSPersistence", "_NS", "_GS"]

  /// Stands for an identifier that cannot be read.
  static let unknownIdentifier = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  /// The store's identifier; part of the URI of each object, not of the property list.
  var identifier: UUID
  /// Everything else by key, reserved keys and those of programs.
  var values: [String: Value]

  /// What a file holds.
  init(identifier: UUID, values: [String: Value]) {
    self.identifier = identifier
    self.values = values
  }

  /// The metadata of a new store, which carries its model.
  ///
  /// - Parameters:
  ///   - type: The name of the store's type.
  ///   - stored: The entities whose hashes are recorded.
  ///   - modelText: The model as JSON; by default the model's own, with its name.
  init(
    identifier: UUID = UUID(), type: String = SQLiteStore.type, _ stored: StoredEntities,
    modelText: String? = nil
  ) {
    let model = stored.model
    let hashes = stored.versionHashes
    let identifiers = model.versionIdentifiers.isEmpty ? [""] : model.versionIdentifiers
    self.init(
      identifier: identifier,
      values: [
        Key.type: .string(type),
        Key.hashes: .dictionary(hashes.mapValues { .data($0) }),
        Key.hashesVersion: .int(3),
        Key.versionIdentifiers: .list(identifiers.map { .string($0) }),
        Key.digest: .string(ManagedObjectModel.versionHashesDigest(of: hashes)),
        Key.checksum: .string(ManagedObjectModel.versionChecksum(of: hashes)),
        Key.frameworkVersion: .int(Self.frameworkVersion),
        Key.autoVacuum: .string("2"),
        Key.format: .int(Int64(Self.currentFormat)),
        Key.model: .string(modelText ?? Self.text(of: model)),
      ])
    if let configuration = stored.configuration { values[Key.configuration] = .string(configuration) }
  }

  /// The metadata of a new SQLite store with all entities of a model.
  init(identifier: UUID = UUID(), model: ManagedObjectModel, modelText: String? = nil) {
    self.init(identifier: identifier, StoredEntities(model), modelText: modelText)
  }

  /// Whether a key belongs to the library (STO-108).
  static func isReserved(_ key: String) -> Bool { reservedPrefixes.contains { key.hasPrefix($0) } }

  /// What programs noted.
  var userValues: [String: Value] { values.filter { !Self.isReserved($0.key) } }

  /// Sets or, with nil, removes values that programs noted.
  ///
  /// - Throws: `metadata-reserved` if one of the keys belongs to the library and the value differs from its own.
  mutating func setUserValues(_ changes: [String: Value?]) throws {
    for (key, value) in changes where Self.isReserved(key) && value != all[key] {
      throw Self.reserved(key, value)
    }
    for (key, value) in changes where !Self.isReserved(key) { values[key] = value }
  }

  private static func reserved(_ key: String, _ value: Value?) -> GraphStoreError {
    GraphStoreError(
      .metadataReserved, "The metadata key \(key) belongs to the store itself.",
      remedy: "Choose a key that begins with none of \(reservedPrefixes.joined(separator: ", ")).",
      property: key,
      value: value)
  }

  /// What tells a new dictionary of metadata apart from what a program sees: values, or nil for keys that are left out.
  /// Of the library's own keys those that are left out stay (STO-108).
  ///
  /// - Throws: `metadata-reserved` for another value of a key of the library's; `metadata-invalid` with the key path of a
  ///   value that cannot be kept.
  static func changes(
    from stored: [String: Value], to metadata: [String: Value]
  ) throws -> [String: Value?] {
    var changes: [String: Value?] = [:]
    for (key, value) in metadata where stored[key] != value {
      if isReserved(key) { throw reserved(key, value) }
      changes[key] = .some(value)
    }
    try PropertyList.check(changes.compactMapValues(\.self))
    for key in stored.keys where metadata[key] == nil && !isReserved(key) {
      changes.updateValue(nil, forKey: key)
    }
    return changes
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

  /// Whether the store was made by this library, and not by Core Data.
  var isOurs: Bool { format != nil }

  func string(_ key: String) -> String? {
    if case .string(let text)? = values[key] { text } else { nil }
  }

  private func int(_ key: String) -> Int? {
    if case .int(let number)? = values[key] { Int(number) } else { nil }
  }
}
