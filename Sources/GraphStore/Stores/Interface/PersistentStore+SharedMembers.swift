import GraphStoreModel

extension PersistentStore {
  /// The to-many relationships without inverse whose members may have several owners, all of which a copy has
  /// to keep.
  package func relationshipsWithSharedMembers() throws -> Set<RelationshipDescription> {
    try read(.severalStatements) { try relationshipsWithSharedMembers($0) }
  }

  /// The same, as a session sees it: in a SQLite store the tables say it, in others the links that there are,
  /// since documents can be edited.
  package func relationshipsWithSharedMembers(_ session: any ReadSession) throws -> Set<
    RelationshipDescription
  > {
    if let store = self as? SQLiteStore { return store.schema.pairedRelationships }
    return try relationshipsWithSharedLinks(session)
  }

  /// Those whose members have several owners, whatever the tables allow.
  package func relationshipsWithSharedLinks(_ session: any ReadSession) throws -> Set<
    RelationshipDescription
  > {
    var shared: Set<RelationshipDescription> = []
    for owner in layout.entities where entities.holds(owner.entity) {
      for relationship in owner.relationships
      where relationship.isToMany && relationship.isPersistent && relationship.inverseDescription == nil
        && relationship.description.entity === owner.entity
      {
        if try session.hasSharedMembers(relationship, of: owner) { shared.insert(relationship.description) }
      }
    }
    return shared
  }
}

extension ReadSession {
  fileprivate func hasSharedMembers(
    _ relationship: RelationshipLayout, of owner: EntityLayout
  ) throws -> Bool {
    var members: Set<Int64> = []
    var isShared = false
    try plan(StoreRequest(entityName: owner.entity.name, .partialRows([]))).rows { batch in
      if isShared { return }
      var keys: [Int64] = []
      batch.forEach { key, _ in keys.append(key) }
      for link in try self.members(relationship, owners: keys) {
        isShared = isShared || !members.insert(link.member.key).inserted
      }
    }
    return isShared
  }
}
