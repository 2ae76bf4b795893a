import GraphStoreModel

extension ManagedObjectContext {
  /// Decides about members that another writer has added to deleted records since the delete rules were
  /// applied: their references are cleared where the rule is Nullify, else the save fails (REL-247). Records
  /// that lose their partner of a one-to-one relationship have their references cleared too.
  ///
  /// - Throws: `delete-denied`; `merge-conflict` where the members would have to be deleted too, cannot do
  ///   without the deleted record, or have values here under which they belong elsewhere.
  func resolvePhantoms(_ found: WrittenRows.Phantoms, storeIndex: Int32) throws {
    let relationship = found.check.relationship
    func object(_ entity: Int, _ key: Int64) -> ManagedObject? {
      registry.object(coordinator.layout.entities[entity], key: key, store: storeIndex)
    }
    let links = found.links.map { member in
      PhantomLink(
        owner: object(relationship.description.entityIndex, member.owner)?.objectID
          ?? identifier(
            ObjectKey(entity: relationship.description.entityIndex, key: member.owner), storeIndex: storeIndex
          ),
        member: identifier(member.member, storeIndex: storeIndex),
        object: object(member.member.entity, member.member.key))
    }
    if found.check.cause == .changeOfPartner {
      return try clearFormerPartners(links, relationship: relationship, storeIndex: storeIndex)
    }
    if relationship.deleteRule == .deny { throw PhantomLink.denial(links, relationship.description) }
    let root = coordinator.layout.entities[relationship.destination].rootIndex
    registry.caches[Int(storeIndex)].forget(root, links.map(\.member.key), in: rowView)
    let inverse = relationship.inverseDescription
    let known = inverse?.isToMany == true ? [] : links.filter { $0.object?.isFault == false }
    if !known.isEmpty {
      // The owner's row may be older than the link.
      for case let (owner?, member?) in known.map({ (registeredObject(for: $0.owner), $0.object) }) {
        relinkOwner(owner, relationship, to: member)
      }
      throw PhantomLink.conflict(known, isKnownElsewhere: true)
    }
    if relationship.deleteRule == .cascade || inverse?.isOptional == false {
      throw PhantomLink.conflict(links, isKnownElsewhere: false)
    }
    for case let fault? in links.map(\.object) {
      fault.dropRow()
      fault.setDestination(relationship.inverse, nil)
    }
  }

  /// Clears the partners of records of which the context had old rows, as it does for objects whose rows it
  /// knows.
  private func clearFormerPartners(
    _ links: [PhantomLink], relationship: RelationshipLayout, storeIndex: Int32
  ) throws {
    let root = coordinator.layout.entities[relationship.destination].rootIndex
    registry.caches[Int(storeIndex)].forget(root, links.map(\.member.key), in: rowView)
    let objects = links.compactMap(\.object)
    if relationship.inverseDescription?.isOptional == false || objects.contains(where: \.hasChanges) {
      throw PhantomLink.displacement(links)
    }
    for object in objects {
      if object.isFault { object.dropRow() } else { object.turnIntoFault() }
      object.setDestination(relationship.inverse, nil)
    }
  }
}
