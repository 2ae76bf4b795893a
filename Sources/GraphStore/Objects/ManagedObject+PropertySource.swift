import GraphStorePredicates

extension ManagedObject: PropertySource {
  /// The object's identifier.
  public final var objectReference: ObjectReference? { ObjectReference(objectID) }

  /// The value of a key for a predicate that is evaluated in memory.
  public final func operand(forKey key: PropertyKey) throws -> Operand {
    guard let number = key.number(in: plan, find: { plan.property(named: $0)?.number }) else {
      return try operand(forOtherKey: key.name)
    }
    let property = plan.properties[number]
    switch property.kind {
    case .toOne:
      return try object(of: plan.relationships[property.relationship]).map { .source($0) } ?? .null
    case .toMany:
      let relationship = plan.relationships[property.relationship]
      let members = try members(of: relationship)
      let ordered = relationship.isOrdered ? members : members.sorted { $0.precedes($1) }
      return .collection(ordered.map { .source($0) }, isOrdered: relationship.isOrdered)
    default: return .value(try attribute(property))
    }
  }

  /// A key that the entity does not have: that of a sub-entity reads as nil (PRD-287).
  private func operand(forOtherKey name: String) throws -> Operand {
    switch name {
    case "objectID", "self": return .source(self)
    case "entity": return .value(.string(entity.name))
    default: break
    }
    let isKeyOfFamily = entity.rootEntity.family.contains { $0.property(named: name) != nil }
    if isKeyOfFamily { return .null }
    _ = try property(forKey: name)
    return .null
  }

  /// The number of members of a to-many, without making a list of them.
  public final func count(forKey key: PropertyKey) throws -> Int? {
    guard let number = key.number(in: plan, find: { plan.property(named: $0)?.number }),
      plan.properties[number].kind == .toMany
    else { return nil }
    return try members(of: plan.relationships[plan.properties[number].relationship]).count
  }
}
