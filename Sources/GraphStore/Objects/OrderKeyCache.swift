/// The places of objects in ordered relationships, looked up once for each owner during a sort.
final class OrderKeyCache {
  private var byOwner: [ObjectIdentifier: [ObjectIdentifier: Int64]] = [:]

  /// The order value that an object has in a relationship of its owner, or will have once it is saved.
  func place(of object: ManagedObject, in owner: ManagedObject, _ relationship: RelationshipLayout) throws
    -> Int64?
  {
    if let places = byOwner[ObjectIdentifier(owner)] { return places[ObjectIdentifier(object)] }
    let members = try owner.members(of: relationship)
    let stored = owner.toMany(relationship).orderKeys
    let values = OrderKeys.assign(members.map { stored[ObjectIdentifier($0)] })
    var places: [ObjectIdentifier: Int64] = [:]
    places.reserveCapacity(members.count)
    for (member, value) in zip(members, values) { places[ObjectIdentifier(member)] = value }
    byOwner[ObjectIdentifier(owner)] = places
    return places[ObjectIdentifier(object)]
  }
}
