import GraphStoreModel
import GraphStorePredicates

/// Copy of everything that one store holds into another, new one of the same layouts, key for key
/// (STO-148, STO-149).
///
/// Rows go first, by the few dozen, with the references that they have; then the links and order values that
/// are stored outside of them, which name rows.
package struct StoreTransfer {
  package let source: any ReadSession
  package let target: any WriteSession
  package let layouts: [EntityLayout]
  /// The entities that the source holds.
  package let entities: StoredEntities
  /// Called before each batch; what it throws ends the copy.
  package var onBatch: () throws -> Void = {}

  /// - Throws: What reading and writing throw; `constraint-conflict` for objects that break a constraint.
  package func run() throws {
    for root in layouts where root.rootIndex == root.index && entities.holds(root.entity) {
      try copyRecords(of: root)
    }
    for layout in layouts where entities.holds(layout.entity) {
      for relationship in layout.relationships where relationship.description.entity === layout.entity {
        try copyLinks(relationship, layout)
      }
    }
    let metadata = try source.metadata().filter { !StoreMetadata.isReserved($0.key) }
    if !metadata.isEmpty { try target.setMetadata(metadata.mapValues(Optional.some)) }
  }

  private func copyRecords(of root: EntityLayout) throws {
    try source.plan(StoreRequest(entityName: root.entity.name, .rows)).rows { batch in
      try onBatch()
      var save = SaveRequest()
      save.isCopy = true
      batch.forEach { key, row in save.insertions.append(SaveRequest.Insertion(row: row, key: key)) }
      try target.writeCopies(save)
    }
    // New objects get keys that no object has ever had.
    let greatest = try source.greatestKey(root)
    if greatest > 0 { _ = try target.reserveKeys(root, count: Int(greatest)) }
  }

  // MARK: Links

  /// Copies what is stored of a to-many outside of rows: its links, unless a row or the other end has them,
  /// and the places of its members.
  private func copyLinks(_ relationship: RelationshipLayout, _ owner: EntityLayout) throws {
    let hasLinks = relationship.isToMany && relationship.description.isStoredHere
    guard relationship.isPersistent, hasLinks || relationship.isOrdered else { return }
    let owners = StoreRequest(entityName: owner.entity.name, .partialRows([]))
    try source.plan(owners).rows { batch in
      try onBatch()
      var keys: [Int64] = []
      batch.forEach { key, _ in keys.append(key) }
      let links = Dictionary(grouping: try source.members(relationship, owners: keys), by: \.owner)
      if links.isEmpty { return }
      var save = SaveRequest()
      save.isCopy = true
      for owner in keys {
        let members = links[owner, default: []].map(\.member.key)
        if members.isEmpty { continue }
        if hasLinks {
          save.links.append(
            SaveRequest.LinkChange(relationship: relationship, owner: owner, added: members, removed: []))
        }
        if relationship.isOrdered { save.orders.append(.copied(members, of: relationship, owner: owner)) }
      }
      try target.writeCopies(save)
    }
  }
}
