import GraphStoreModel
import GraphStorePredicates

/// Writer of rows as an incremental store gets them: values and destinations by name.
struct IncrementalNodeWriter {
  let store: IncrementalPersistentStore

  /// The node of a new record.
  func node(_ row: Row, key: Int64) throws -> IncrementalStoreNode {
    IncrementalStoreNode(
      store.identifier(row.layout.index, key), version: row.version, values: try values(of: row),
      destinations: destinations(of: row).compactMapValues(\.self))
  }

  /// The values of all attributes that have one.
  func values(of row: Row) throws -> [String: Value] {
    try values(of: row) { row.hasValue(of: $0) }
  }

  /// A change of a record.
  func update(
    _ row: Row, key: Int64, from version: Int64, changed: PropertySet
  ) throws -> IncrementalStoreChanges.Update {
    IncrementalStoreChanges.Update(
      identifier: store.identifier(row.layout.index, key), version: version,
      values: try values(of: row) { changed.contains($0.number) },
      destinations: destinations(of: row) { changed.contains($0.number) })
  }

  private func values(of row: Row, where isWanted: (PropertyLayout) -> Bool) throws -> [String: Value] {
    var values: [String: Value] = [:]
    for property in row.layout.properties
    where property.attribute != nil && property.isPersistent && property.isInRow && isWanted(property) {
      values[property.name] = try row.value(of: property)
    }
    return values
  }

  private func destinations(
    of row: Row, where isWanted: (RelationshipLayout) -> Bool = { _ in true }
  ) -> [String: NodeIdentifier?] {
    var destinations: [String: NodeIdentifier?] = [:]
    for relationship in row.layout.relationships
    where !relationship.isToMany && relationship.isPersistent && isWanted(relationship) {
      let reference = row.reference(relationship.slot)
      destinations.updateValue(
        reference.map { store.identifier($0.entity, $0.key) }, forKey: relationship.description.name)
    }
    return destinations
  }
}
