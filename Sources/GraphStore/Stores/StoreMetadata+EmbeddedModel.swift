import GraphStoreModel

/// The model that a store carries among its metadata.
extension StoreMetadata {
  /// The model as JSON; nil for a store of Core Data.
  var modelText: String? { string(Key.model) }

  static func text(of model: ManagedObjectModel) -> String {
    var definition = model.definition
    // A model without a name of its own has the name of its file, which the store does not know.
    definition.name = model.name
    return String(decoding: definition.jsonData(), as: UTF8.self)
  }

  /// Whether the model that is carried is there, and it or the configuration is another one than a given one; hashes
  /// aside.
  func isOther(_ stored: StoredEntities) -> Bool {
    guard let modelText else { return false }
    if configuration != stored.configuration { return true }
    if modelText == Self.text(of: stored.model) { return false }
    return modelText != String(decoding: stored.model.jsonData(), as: UTF8.self)
  }

  /// Carries another model with the same hashes.
  mutating func carry(_ stored: StoredEntities) {
    let other = StoreMetadata(stored).values
    for key in [Key.model, Key.versionIdentifiers, Key.configuration] { values[key] = other[key] }
  }
}
