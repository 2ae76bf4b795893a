extension ManagedObjectContext {
  /// Resolves a to-many of several owners of one entity tree with one statement; members come as registered objects
  /// or new faults, corrected by what has changed since (REL-101).
  func resolve(_ relationship: RelationshipPlan, of owners: [ManagedObject]) throws {
    let waiting = owners.filter { !$0.toMany(relationship).isResolved }
    guard let first = waiting.first else { return }
    var saved: [Int64: ManagedObject] = [:]
    for owner in waiting where owner.key > 0 { saved[owner.key] = owner }
    if !saved.isEmpty {
      let store = try store(at: first.storeIndex)
      let keys = waiting.filter { $0.key > 0 }.map(\.key)
      let links = try coordinator.locked { try store.members(relationship, owners: keys) }
      var start = 0
      while start < links.count {
        let key = links[start].owner
        let end = links[start...].firstIndex { $0.owner != key } ?? links.count
        if let owner = saved[key] { resolve(relationship, of: owner, links[start..<end]) }
        start = end
      }
    }
    for owner in waiting where !owner.toMany(relationship).isResolved { resolve(relationship, of: owner, []) }
  }

  private func resolve(
    _ relationship: RelationshipPlan, of owner: ManagedObject, _ links: ArraySlice<StoredMember>
  ) {
    let state = owner.toMany(relationship)
    let members = faults(links, owner.storeIndex)
    if relationship.isOrdered {
      for (object, link) in zip(members, links) {
        state.orderKeys[ObjectIdentifier(object)] = link.order
      }
    }
    state.resolve(members)
  }

  /// The objects that links of one relationship name: registered ones or new faults, with each lock taken once.
  private func faults(_ links: ArraySlice<StoredMember>, _ storeIndex: Int32) -> [ManagedObject] {
    guard let first = links.first else { return [] }
    let plans = coordinator.plan.entities
    let known = registry.objects(
      plans[first.member.entity], links.map(\.member.key)[...], storeIndex)
    let objects = links.enumerated().map { offset, link in
      (known.isEmpty ? nil : known[offset])
        ?? make(plans[link.member.entity], key: link.member.key, state: .fault, storeIndex: storeIndex)
    }
    registry.register(objects[...])
    return objects
  }
}
