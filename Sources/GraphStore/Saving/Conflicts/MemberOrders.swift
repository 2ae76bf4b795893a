import OrderedCollections

/// Orders of the members of ordered relationships before objects leave for others by a uniqueness conflict:
/// the object that stays takes the place of the one that leaves (CTX-241).
///
/// All are restored together: one by one, many conflicts about the members of one object would each scan all
/// of them.
struct MemberOrders {
  private struct Place: Hashable {
    let owner: ManagedObject
    let ordinal: Int
  }

  private var orders: OrderedDictionary<Place, [ManagedObject]> = [:]

  /// Keeps the orders of the relationships whose inverse leads from an object to their owners.
  mutating func keep(ofOwnersOf member: ManagedObject) throws {
    for relationship in member.layout.relationships
    where relationship.inverse >= 0 && relationship.isPersistent {
      let owners =
        relationship.isToMany
        ? try member.members(of: relationship) : [try member.object(of: relationship)].compactMap(\.self)
      for owner in owners where owner.isPresent {
        try keep(of: owner.layout.relationships[relationship.inverse], owner)
      }
    }
  }

  /// Keeps the order of a relationship of an owner, if it has one.
  mutating func keep(of relationship: RelationshipLayout, _ owner: ManagedObject) throws {
    let place = Place(owner: owner, ordinal: relationship.ordinal)
    guard relationship.isToMany, relationship.isOrdered, orders[place] == nil else { return }
    orders[place] = try owner.members(of: relationship)
  }

  /// Moves members to the places of those that they have replaced. An object that was a member before stays
  /// where it was.
  ///
  /// - Parameter replacement: The object that has replaced another; nil for one that has not left.
  func restore(replacement: (ManagedObject) -> ManagedObject?) throws {
    for (place, order) in orders where place.owner.isPresent {
      let relationship = place.owner.layout.relationships[place.ordinal]
      let present = OrderedSet(try place.owner.members(of: relationship))
      let before = Set(order)
      var wanted = OrderedSet<ManagedObject>()
      for member in order {
        guard let other = replacement(member) else {
          wanted.append(member)
          continue
        }
        if !before.contains(other) { wanted.append(other) }
      }
      wanted.formIntersection(present)
      try place.owner.setMembers(Array(wanted.union(present)), of: relationship)
    }
  }
}
