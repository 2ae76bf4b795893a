/// Limits of the system columns of a row: no store reaches them, and a row beyond them is damaged.
package enum StoredKey {
  /// Keys: those below 1 are of objects that no store has.
  package static let keys: ClosedRange<Int64> = 1...PackedReference.keyRange.upperBound
  /// Versions: each save adds 1.
  package static let versions: ClosedRange<Int64> = 0...(1 << 62)
  /// Order values of ordered relationships.
  package static let orders: ClosedRange<Int64> = -(1 << 60)...(1 << 60)

  /// A row whose key no row can have.
  @inline(never)
  package static func error(key: Int64, of entity: String) -> GraphStoreError {
    damaged(
      "A row of \(entity) has the key \(key); keys go from \(keys.lowerBound) to \(keys.upperBound).",
      entity: entity)
  }

  /// The error for a row of an entity that does not belong to the table.
  @inline(never)
  package static func error(entityNumber: Int64, of root: String, key: Int64) -> GraphStoreError {
    damaged(
      "\(root)/p\(key) has the entity number \(entityNumber), which is not \(root)'s nor one below it.",
      entity: root)
  }

  /// A row whose version cannot rise.
  @inline(never)
  package static func error(version: Int64, of entity: String, key: Int64) -> GraphStoreError {
    damaged(
      "\(entity)/p\(key) has the version \(version), which no number of changes reaches.", entity: entity)
  }

  /// A reference to a key that no row can have.
  @inline(never)
  package static func error(reference: Int64, in property: String, of entity: String, key: Int64)
    -> GraphStoreError
  {
    damaged(
      "\(entity)/p\(key) refers by \(property) to the key \(reference); keys go from \(keys.lowerBound) to "
        + "\(keys.upperBound).", entity: entity, property: property)
  }

  /// A reference to an object of an entity that the relationship does not lead to.
  @inline(never)
  package static func error(
    referenceTo object: String, in property: String, of entity: String, key: Int64
  ) -> GraphStoreError {
    damaged(
      "\(entity)/p\(key) refers by \(property) to \(object), which is of an entity that \(property) does not"
        + " lead to.", entity: entity, property: property)
  }

  /// A value that is no decimal, or none that can be held.
  @inline(never)
  package static func error(decimal shown: String, in property: String, of entity: String, key: Int64)
    -> GraphStoreError
  {
    damaged(
      "\(entity)/p\(key) has something in \(property) that is no decimal: \(shown).",
      entity: entity, property: property)
  }

  /// A value that is no number, or no date, which is one.
  @inline(never)
  package static func error(number shown: String, in property: String, of entity: String, key: Int64)
    -> GraphStoreError
  {
    damaged(
      "\(entity)/p\(key) has something in \(property) that is no number: \(shown).", entity: entity,
      property: property)
  }

  /// A value with external storage that is of no form that such values have.
  @inline(never)
  package static func error(externalDataIn property: String, of entity: String, key: Int64) -> GraphStoreError
  {
    damaged(
      "\(entity)/p\(key) has bytes in \(property) that are neither data nor the name of a file.",
      entity: entity, property: property,
      remedy: "Set the value anew; a check of the store lists all such rows.")
  }

  private static func damaged(
    _ message: String, entity: String, property: String? = nil, remedy: String? = nil
  ) -> GraphStoreError {
    let clearing = property.map { name in
      "Check the store, which lists all such rows, and repair it clearing \(entity).\(name), "
        + "which sets such values to nil; then set them anew."
    }
    return GraphStoreError(
      .storeCorrupt, message,
      remedy: remedy ?? clearing ?? "Check the store, which lists all such rows, and restore a backup.",
      entity: entity, property: property)
  }
}
