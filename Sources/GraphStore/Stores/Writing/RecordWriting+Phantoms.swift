import GraphStoreModel

extension RecordWriting {
  /// Finds the members that another writer has added to records that a save deletes, or the records that
  /// refer to a changed one through a one-to-one relationship without being its partner, and clears their
  /// references.
  ///
  /// It runs after the save's own rows were written, and before the links of deleted records are gone.
  ///
  /// - Parameters:
  ///   - tracker: Is notified of the objects whose references were cleared.
  ///   - record: The same.
  /// - Returns: What was found; nil where there was nothing.
  package func resolvePhantoms(
    of check: SaveRequest.PhantomCheck, tracker: DerivedValueTracker?, _ record: inout CommitRecord
  ) throws -> WrittenRows.Phantoms? {
    guard let inverse = check.relationship.inverseDescription else { return nil }
    if inverse.isToMany {
      guard check.relationship.isToMany else { return nil }
      let members = try members(check.relationship, owners: check.owners).filter {
        check.removed[$0.owner]?.contains($0.member.key) != true
      }
      if members.isEmpty { return nil }
      record.cleared.append(
        CommitRecord.ClearedReferences(reference: inverse, keys: members.map(\.member.key)))
      return WrittenRows.Phantoms(check: check, links: members)
    }
    var members = try referring(to: check.owners, by: inverse)
    if check.cause == .changeOfPartner {
      try expectPartners(of: check, among: members)
      members.removeAll { check.partners[$0.owner] == $0.member.key }
    }
    if members.isEmpty { return nil }
    let keys = members.map(\.member.key)
    try clear(inverse, of: keys)
    try tracker?.recordCleared(inverse, of: keys, self)
    record.cleared.append(CommitRecord.ClearedReferences(reference: inverse, keys: keys))
    rowCache.forget(
      layout.entities[check.relationship.destination].rootIndex, keys, in: rowView)
    return WrittenRows.Phantoms(check: check, links: members)
  }

  /// Ensures that the partner that a changed row names refers to it: another writer may have given it another
  /// partner.
  private func expectPartners(of check: SaveRequest.PhantomCheck, among members: [LinkRow]) throws {
    var missing = check.partners.filter { $0.value != 0 }
    for member in members where missing[member.owner] == member.member.key { missing[member.owner] = nil }
    guard let (owner, partner) = missing.min(by: { $0.key < $1.key }) else { return }
    let relationship = check.relationship
    let id = ManagedObjectID(scope: scope, entityIndex: relationship.destination, key: partner)
    let ownerID = ManagedObjectID(
      scope: scope, entityIndex: relationship.description.entity.index, key: owner)
    rowCache.forget(
      layout.entities[relationship.destination].rootIndex, [partner], in: rowView)
    throw GraphStoreError.separation(of: id, from: ownerID)
  }
}

extension GraphStoreError {
  /// The failure of a save of a one-to-one relationship whose other end leads elsewhere in the store.
  package static func separation(of partner: ManagedObjectID, from owner: ManagedObjectID) -> GraphStoreError
  {
    var error = GraphStoreError(
      .mergeConflict,
      "Could not merge changes: another writer has given \(partner.shortForm) another partner than \(owner.shortForm).",
      remedy: "Refresh both and save again; nothing was written.", entity: owner.entity.name, objectID: owner)
    error.relatedObjects = [partner]
    return error
  }
}
