import GraphStoreModel
import GraphStorePredicates

extension StoreMetadata {
  private static let reservedPrefixes = ["NSStore", "NSPersistence", "_NS", "_GS"]

  /// Whether a key belongs to the library (STO-108).
  package static func isReserved(_ key: String) -> Bool { reservedPrefixes.contains { key.hasPrefix($0) } }

  /// The values of programs.
  package var userValues: [String: Value] { values.filter { !Self.isReserved($0.key) } }

  /// Sets or, with nil, removes values that programs noted.
  ///
  /// - Throws: `metadata-reserved` if one of the keys belongs to the library and the value differs from its
  ///   own.
  package mutating func setUserValues(_ changes: [String: Value?]) throws {
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

  /// The differences between a new dictionary of metadata and what a program sees: values, or nil for keys
  /// that are left out. The library's own keys stay where they are left out (STO-108).
  ///
  /// - Throws: `metadata-reserved` for another value of a key of the library's; `metadata-invalid` with the
  ///   key path of a value that cannot be kept.
  package static func changes(
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
}

/// The model that a store carries among its metadata.
extension StoreMetadata {
  /// The model as JSON; nil for a store of Core Data.
  package var modelText: String? { string(Key.model) }

  package static func text(of model: ManagedObjectModel) -> String {
    var definition = model.definition
    // A model without a name of its own has the name of its file, which the store does not know.
    definition.name = model.name
    return String(decoding: definition.jsonData(), as: UTF8.self)
  }

  /// Whether the model that is carried is there, and it or the configuration is another one than a passed
  /// one; hashes aside.
  package func isOther(_ stored: StoredEntities) -> Bool {
    guard let modelText else { return false }
    if configuration != stored.configuration { return true }
    if modelText == Self.text(of: stored.model) { return false }
    return modelText != String(decoding: stored.model.jsonData(), as: UTF8.self)
  }

  /// Carries another model with the same hashes.
  package mutating func carry(_ stored: StoredEntities) {
    let other = StoreMetadata(stored).values
    for key in [Key.model, Key.versionIdentifiers, Key.configuration] { values[key] = other[key] }
  }
}
