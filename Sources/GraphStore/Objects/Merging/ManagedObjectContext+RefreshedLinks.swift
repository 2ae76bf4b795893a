/// Links of refreshed objects on whose other ends, or members, what others have stored has a bearing.
struct RefreshedLinks {
  /// To-ones that others have pointed elsewhere.
  fileprivate var moved: [MovedLink] = []
  /// Objects with members in a changed order.
  fileprivate var reordered: [ManagedObject] = []

  var isEmpty: Bool { moved.isEmpty && reordered.isEmpty }
}

/// A to-one of a changed object, and the destination that others have stored instead of another one.
private struct MovedLink {
  let object: ManagedObject
  let relationship: RelationshipLayout
  let former: PackedReference?
  let stored: PackedReference?
  /// Whether what was set here is neither, and stays.
  let isKept: Bool
}

extension ManagedObjectContext {
  /// Refreshes an object, keeping its unsaved changes, and notes the links that ``adjust(_:)`` has to follow
  /// up once all objects are refreshed.
  ///
  /// - Parameter row: The row that is stored, if it is known.
  func refreshKeepingChanges(
    of object: ManagedObject, row: Row? = nil, _ links: inout RefreshedLinks
  ) throws {
    guard object.hasChanges else { return try refresh(object, mergeChanges: true) }
    if !object.reorderedRelationships.isEmpty { links.reordered.append(object) }
    let (former, own) = (object.committedRow, object.currentRow)
    // A row of another entity is damage, which reading it tells.
    let known = row?.layout === object.layout ? row : nil
    try merge(into: object, keeping: object.ownProperties, row: known)
    guard let former, let own, let stored = object.committedRow else { return }
    for relationship in object.layout.relationships
    where !relationship.isToMany && relationship.inverse >= 0 && relationship.isPersistent {
      let (before, after) = (former.reference(relationship.slot), stored.reference(relationship.slot))
      let present = own.reference(relationship.slot)
      guard before != after else { continue }
      links.moved.append(
        MovedLink(
          object: object, relationship: relationship, former: before, stored: after,
          isKept: present != before && present != after))
    }
  }

  /// Has the other ends of to-ones follow that others have pointed elsewhere, and members in a changed order
  /// those that others have added or taken out.
  func adjust(_ links: RefreshedLinks) throws {
    for link in links.moved { try adjustEnds(of: link) }
    for object in links.reordered { try adoptMembers(ofReordered: object) }
  }

  /// Reads the members that an object has in a changed order: those that others have added follow (CTX-204).
  func adoptMembers(ofReordered object: ManagedObject) throws {
    for relationship in object.reorderedRelationships {
      let state = object.toMany(relationship)
      try readPresentMembers(relationship, of: [object]) { _, members in state.adopt(members) }
    }
  }

  /// Has the other ends of a to-one follow that others have pointed elsewhere.
  ///
  /// Neither their destination nor the former one has unsaved changes about it any more, which were made upon
  /// what was stored before; where the to-one keeps what was set here, their destination loses it.
  private func adjustEnds(of link: MovedLink) throws {
    let (object, relationship) = (link.object, link.relationship)
    guard object.isPresent else { return }
    for case let reference? in [link.former, link.stored] {
      // Of objects that are to be deleted as well: delete rules are applied once more by what they know.
      if let end = registered(reference, object.storeIndex), relationship.leads(to: end.layout) {
        forgetChange(end, relationship, about: object)
      }
    }
    guard link.isKept,
      let stored = link.stored.flatMap({ destination($0, of: relationship, storeIndex: object.storeIndex) }),
      stored.isPresent
    else { return }
    let inverse = stored.layout.relationships[relationship.inverse]
    if inverse.isToMany {
      stored.recordMembership(of: inverse) { $0.remove(object) }
    } else if try stored.object(of: inverse) === object {
      try stored.prepareChange(of: stored.layout.properties[inverse.number])
      stored.writeReference(nil, of: inverse)
    }
  }

  /// The registered object that a row's reference names.
  func registered(_ reference: PackedReference, _ storeIndex: Int32) -> ManagedObject? {
    registry.object(coordinator.layout.entities[reference.entity], key: reference.key, store: storeIndex)
  }
}

extension ManagedObject {
  /// The ordered relationships whose members have changed places since the last save.
  fileprivate final var reorderedRelationships: [RelationshipLayout] {
    layout.relationships.filter { relationship in
      relationship.isOrdered && relationship.isPersistent
        && (relationshipIfTouched(relationship.ordinal) as? ToManyRelationship)?.isReordered == true
    }
  }
}
