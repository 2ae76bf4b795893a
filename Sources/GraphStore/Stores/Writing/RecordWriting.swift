import Foundation
import GraphStoreModel

/// What the write sessions of stores with rows and row versions have in common: how conflicts are found and
/// told, and in which order phantoms are looked for, is the same whatever keeps the rows (STO-084).
protocol RecordWriting: WriteSession {
  var layout: ModelLayout { get }
  var scope: StoreIdentity { get }
  var rowCache: RowCache { get }
  /// Whether several saves are one.
  var isShared: Bool { get }

  /// The records that refer to one of several others by a to-one; none where that is not stored.
  func referring(to keys: [Int64], by reference: RelationshipDescription) throws -> [LinkRow]
  /// Empties a to-one of records, and raises their versions.
  func clear(_ reference: RelationshipDescription, of keys: [Int64]) throws
  /// Computes the values of a derived attribute, and writes those that have changed, without raising
  /// versions.
  ///
  /// - Parameters:
  ///   - keys: The records, those of other entities among them; nil for all.
  ///   - date: The time of the save.
  /// - Throws: `value-out-of-range` for a number that the attribute does not hold.
  func storeDerivedValues(of derived: DerivedAttribute, keys: [Int64]?, date: Date) throws -> [DerivedValue]
}

extension RecordWriting {
  /// The rows that the session sees.
  var rowView: RowCache.View { isShared ? .transaction : .committed }

  /// Computes the derived values of a save, and reads those of all records that it changes. In a transaction
  /// others may have rows of these records from the row cache, whose versions say nothing of derived values.
  func computeDerivedValues(_ tracker: DerivedValueTracker?) throws -> [DerivedValue] {
    guard let tracker else { return [] }
    let computed = try tracker.computeValues(self)
    if isShared, !computed.isEmpty { rowCache.recordDerivedValues(computed) }
    return try computed + tracker.storedValues(self)
  }

  // MARK: Links

  /// The failure of a save with a link from or to a record that another writer has deleted (REL-320).
  func missingDestination(root: Int, key: Int64) -> GraphStoreError {
    let id = ManagedObjectID(scope: scope, entityIndex: root, key: key)
    return GraphStoreError(
      .objectNotFound, "A link leads to \(id.shortForm), which was deleted by another writer.",
      remedy: "Point the link elsewhere and save again; nothing was written.", objectID: id)
  }
}

extension SaveRequest {
  /// The stored records that have to be there for the links of the save, by entity tree.
  func linkedRecords(_ layout: ModelLayout) -> [(root: Int, keys: Set<Int64>)] {
    var wanted: [Int: Set<Int64>] = [:]
    func addDestinations(of row: Row, changed: PropertySet?) {
      if row.layout.toOneSlots.isEmpty { return }
      for relationship in row.layout.relationships where relationship.slot >= 0 && relationship.isPersistent {
        if let changed, !changed.contains(relationship.number) { continue }
        guard let reference = row.reference(relationship.slot), reference.key > 0 else { continue }
        wanted[layout.entities[reference.entity].rootIndex, default: []].insert(reference.key)
      }
    }
    for insertion in insertions { addDestinations(of: insertion.row, changed: nil) }
    for update in updates { addDestinations(of: update.row, changed: update.changed) }
    for link in links where !link.added.isEmpty {
      let relationship = link.relationship
      let owner = layout.entities[relationship.description.entity.index].rootIndex
      wanted[owner, default: []].insert(link.owner)
      let added = link.added.filter { $0 > 0 }
      wanted[layout.entities[relationship.destination].rootIndex, default: []].formUnion(added)
    }
    return wanted.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty }.map { ($0.key, $0.value) }
  }
}
