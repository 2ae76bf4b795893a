import GraphStoreModel

/// What the write sessions of stores with rows and row versions have in common: how conflicts are found and told, and in
/// which order phantoms are looked for, is the same whatever keeps the rows (STO-084).
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
}

extension RecordWriting {
  /// The cache has what the store has, so that a refresh and another save go through (CTX-123, FLT-105).
  func renewCache(_ layout: EntityLayout, key: Int64, stored: Row?) {
    if let stored {
      rowCache.put(stored, key: key, holders: 0, from: origin)
    } else {
      rowCache.forget(layout.rootIndex, [key], inTransaction: isShared)
    }
  }

  // MARK: Versions

  /// The conflict of an update whose record has another version than the one it was read with.
  ///
  /// - Returns: nil where the values are those that were read; the version that was read is then the stored one.
  func conflict(of update: SaveRequest.Update) throws -> MergeConflict? {
    let stored = try row(update.row.layout, update.key)
    let conflict = MergeConflict(
      key: update.key, committed: update.committed, own: update.row, stored: stored)
    guard !conflict.isReal, let stored else {
      renewCache(update.row.layout, key: update.key, stored: stored)
      return conflict
    }
    update.committed.block.setVersion(update.committed.index, stored.version)
    return nil
  }

  /// Makes sure that deleted records whose versions have moved have the values with which they were read.
  ///
  /// - Throws: `merge-conflict`; what is gone already is none (CTX-177, CTX-178).
  func checkDeletion(of suspects: [SaveRequest.Deletion.Committed]) throws {
    var conflicts: [MergeConflict] = []
    for suspect in suspects {
      guard let current = try row(suspect.row.layout, suspect.key) else { continue }
      let conflict = MergeConflict(key: suspect.key, committed: suspect.row, own: nil, stored: current)
      guard conflict.isReal else { continue }
      conflicts.append(conflict)
      renewCache(suspect.row.layout, key: suspect.key, stored: current)
    }
    if !conflicts.isEmpty { throw MergeConflict.error(conflicts, scope: scope) }
  }

  // MARK: Phantoms

  /// Finds the members that another writer has added to records that a save deletes, or the records that refer to a changed
  /// one through a one-to-one relationship without being its partner, and clears their references.
  ///
  /// It runs after the save's own rows were written, and before the links of deleted records are gone.
  func resolvePhantoms(
    of check: SaveRequest.PhantomCheck, _ phantoms: (SaveRequest.PhantomCheck, [LinkRow]) throws -> Void
  ) throws {
    guard let inverse = check.relationship.inverseDescription else { return }
    if inverse.isToMany {
      guard check.relationship.isToMany else { return }
      let members = try members(check.relationship, owners: check.owners).filter {
        check.removed[$0.owner]?.contains($0.member.key) != true
      }
      if !members.isEmpty { try phantoms(check, members) }
      return
    }
    var members = try referring(to: check.owners, by: inverse)
    if check.cause == .changeOfPartner {
      try expectPartners(of: check, among: members)
      members.removeAll { check.partners[$0.owner] == $0.member.key }
    }
    if members.isEmpty { return }
    try phantoms(check, members)
    let keys = members.map(\.member.key)
    try clear(inverse, of: keys)
    rowCache.forget(
      layout.entities[check.relationship.destination].rootIndex, keys, inTransaction: isShared)
  }

  /// Sees to it that whom a changed row names refers to it: another writer may have given it another partner.
  private func expectPartners(of check: SaveRequest.PhantomCheck, among members: [LinkRow]) throws {
    var missing = check.partners.filter { $0.value != 0 }
    for member in members where missing[member.owner] == member.member.key { missing[member.owner] = nil }
    guard let (owner, partner) = missing.min(by: { $0.key < $1.key }) else { return }
    let relationship = check.relationship
    let id = ManagedObjectID(scope: scope, entityIndex: relationship.destination, key: partner)
    let ownerID = ManagedObjectID(
      scope: scope, entityIndex: relationship.description.entity.index, key: owner)
    rowCache.forget(
      layout.entities[relationship.destination].rootIndex, [partner], inTransaction: isShared)
    throw PhantomLink.separation(of: id, from: ownerID)
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
