import GraphStoreModel

extension SQLSchema {
  /// The to-many relationships without inverse that have a table of pairs, so that a member may have several
  /// owners.
  package var pairedRelationships: Set<RelationshipDescription> {
    let found = entities.flatMap { entity in
      entity.entity.relationships.filter { relationship in
        guard relationship.inverse == nil, relationship.isToMany, relationship.entity === entity.entity else {
          return false
        }
        if case .joinTable = entity.storage(of: relationship) { return true }
        return false
      }
    }
    return Set(found)
  }
}
