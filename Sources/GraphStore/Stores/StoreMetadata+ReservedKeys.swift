import GraphStoreModel
import GraphStorePredicates

extension StoreMetadata {
  private static let reservedPrefixes = ["NSStore", "NSPersistence", "_NS", "_GS"]

  /// Whether a key belongs to the library (STO-108).
  package static func isReserved(_ key: String) -> Bool { reservedPrefixes.contains { key.hasPrefix($0) } }

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
}
