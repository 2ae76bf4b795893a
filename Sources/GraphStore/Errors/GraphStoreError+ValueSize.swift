extension GraphStoreError {
  /// Bytes that no text and no data in a store's file can have: SQLite's limit.
  package static let valueSizeLimit = 1_000_000_000

  /// The error for a file whose content no value can hold.
  static func valueTooLarge(size: Int, of property: String, in object: ManagedObject) -> Self {
    Self(
      .valueTooLarge,
      "\(object.objectID.shortForm).\(property) was given \(size.grouped) bytes; a value has to have fewer than "
        + "\(valueSizeLimit.grouped).",
      remedy: "Keep the data in a file of their own, or give the attribute external storage.",
      entity: object.entity.name, property: property, objectID: object.objectID)
  }
}
