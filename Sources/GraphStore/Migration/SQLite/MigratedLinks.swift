import GraphStoreModel

/// Links of an old relationship, as the rows of a new one are filled from them.
struct MigratedLinks {
  /// Storage of the links in the old store.
  enum Place {
    /// In the row of the owner: the member's key, the number of its entity where that is recorded, and the
    /// owner's place among the owners of the member.
    case owner(key: SQLColumn, entity: SQLColumn?, order: SQLColumn?)
    /// In the rows of the members: the owner's key, and the member's place.
    case members(key: SQLColumn, order: SQLColumn?)
    /// In a table of pairs: its columns.
    case pairs(SQLJoinTable, owner: String, member: String, memberOrder: String?, ownerOrder: String?)
  }

  let place: Place
  /// The old relationship.
  let relationship: RelationshipDescription
  /// Whether it leads from the members to the owners.
  let isReversed: Bool
  /// The old entity whose objects are the owners.
  let owners: EntityDescription
  /// The old entity whose objects are the members.
  let members: EntityDescription

  /// The links of an old relationship from its own side.
  init?(_ relationship: RelationshipDescription, of entity: SQLEntity) {
    switch entity.storage(of: relationship) {
    case .toOne(let key, let tag, let order): place = .owner(key: key, entity: tag, order: order)
    case .toManyInverse(let key, let order): place = .members(key: key, order: order)
    case .joinTable(let table, let owner, let member, let order):
      place = .pairs(
        table, owner: owner, member: member, memberOrder: order,
        ownerOrder: owner == table.source ? table.sourceOrder : table.destinationOrder)
    case .none, .attribute: return nil
    }
    self.relationship = relationship
    isReversed = false
    owners = relationship.entity
    members = relationship.destination
  }

  /// The links of an old relationship from the side of its members.
  init?(reversing relationship: RelationshipDescription, in schema: SQLSchema) {
    let entity = schema.entity(relationship.entity)
    switch entity.storage(of: relationship) {
    case .toOne(let key, _, let order): place = .members(key: key, order: order)
    case .toManyInverse(let key, let order):
      if key.isOfOwner {
        place = .owner(key: key, entity: nil, order: order)
      } else {
        guard let inverse = key.property as? RelationshipDescription,
          case .toOne(let key, let tag, let order) = key.entity.storage(of: inverse)
        else { return nil }
        place = .owner(key: key, entity: tag, order: order)
      }
    case .joinTable(let table, let owner, let member, let order):
      place = .pairs(
        table, owner: member, member: owner,
        memberOrder: owner == table.source ? table.sourceOrder : table.destinationOrder, ownerOrder: order)
    case .none, .attribute: return nil
    }
    self.relationship = relationship
    isReversed = true
    owners = relationship.destination
    members = relationship.entity
  }

  /// Whether a member may have several owners.
  var canShareMembers: Bool {
    switch place {
    case .members: false
    case .pairs: true
    case .owner: isReversed || relationship.inverse?.isToMany != false
    }
  }
}

extension MigratedEntities {
  /// The old links that a new relationship of an entity is filled from: its own, else those of its inverse
  /// (MIG-085).
  func links(of relationship: RelationshipDescription, in pair: Pair) -> [MigratedLinks] {
    if let old = pairing.source(of: relationship, in: pair.destination.entity) as? RelationshipDescription,
      !old.isTransient
    {
      return [MigratedLinks(old, of: pair.source)].compactMap(\.self)
    }
    return reversedLinks(of: relationship).filter { pair.source.entity.isKind(of: $0.owners) }
  }

  /// The old links of the inverse of a new relationship, from the side of this one.
  func reversedLinks(of relationship: RelationshipDescription) -> [MigratedLinks] {
    guard let inverse = relationship.inverse else { return [] }
    var seen: [RelationshipDescription] = []
    for entity in inverse.entity.family where pairing.source(of: entity) != nil {
      guard let old = pairing.source(of: inverse, in: entity) as? RelationshipDescription, !old.isTransient,
        !seen.contains(old)
      else { continue }
      seen.append(old)
    }
    return seen.compactMap { MigratedLinks(reversing: $0, in: source) }
  }

  /// The new to-many relationships without inverse that need a table of pairs: members of the old links may
  /// have several owners, and all keep them.
  var pairedRelationships: Set<RelationshipDescription> {
    Set(
      destination.ownerColumns.map(\.relationship)
        .filter { links(of: $0).contains(where: \.canShareMembers) })
  }

  /// The old links of a new relationship in all entities that have it, each relationship's once.
  func links(of relationship: RelationshipDescription) -> [MigratedLinks] {
    var links: [MigratedLinks] = []
    for pair in pairs where pair.destination.entity.isKind(of: relationship.entity) {
      for found in self.links(of: relationship, in: pair)
      where !links.contains(where: {
        $0.relationship === found.relationship && $0.isReversed == found.isReversed
      }) {
        links.append(found)
      }
    }
    return links
  }
}
