extension ManagedObjectContext {
  /// Resolves a to-many of several owners of one entity tree with one statement; members come as registered objects
  /// or new faults, corrected by what has changed since (REL-101).
  func resolve(_ relationship: RelationshipPlan, of owners: [ManagedObject]) throws {
    let waiting = owners.filter { !$0.toMany(relationship).isResolved }
    guard let first = waiting.first else { return }
    var stored: [Int64: [StoredMember]] = [:]
    let keys = waiting.filter { $0.key > 0 }.map(\.key)
    if !keys.isEmpty {
      let store = stores[Int(first.storeIndex)]
      for member in try coordinator.locked({ try store.members(relationship, owners: keys) }) {
        stored[member.owner, default: []].append(member)
      }
    }
    for owner in waiting { resolve(relationship, of: owner, stored[owner.key] ?? []) }
  }

  private func resolve(_ relationship: RelationshipPlan, of owner: ManagedObject, _ stored: [StoredMember]) {
    let state = owner.toMany(relationship)
    var objects: [ManagedObject] = []
    objects.reserveCapacity(stored.count)
    for link in stored {
      let plan = coordinator.plan.entities[link.member.entity]
      let object = fault(plan, link.member.key, owner.storeIndex)
      guard !object.state.contains(.propagated) else { continue }
      objects.append(object)
      if relationship.isOrdered { state.orderKeys[ObjectIdentifier(object)] = link.order }
    }
    state.resolve(objects)
  }
}
