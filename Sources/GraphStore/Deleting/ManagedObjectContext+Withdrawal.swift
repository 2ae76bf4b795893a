import GraphStoreModel

extension ManagedObjectContext {
  /// A link that an object has lost for good, though its own deletion was withdrawn: the object at the other end goes.
  struct OrphanedLink {
    let object: ManagedObject
    let source: ManagedObject
    /// The relationship of the source.
    let relationship: RelationshipLayout
  }

  /// Withdraws the deletion of objects, with every deletion and nullification that delete rules have made of it (CTX-207).
  ///
  /// What such a rule has taken out of the context because it was never saved does not come back.
  ///
  /// - Returns: Where objects that stay deleted lead to those that do not go any more.
  func withdrawDeletions(of objects: [ManagedObject]) throws -> [OrphanedLink] {
    if objects.isEmpty { return [] }
    var orphaned: [OrphanedLink] = []
    let withdrawn = consequences(of: objects, &orphaned)
    for object in deletionOrder where withdrawn.contains(object) { withdraw(object) }
    let returning = deletionOrder.filter { !$0.state.contains(.deleted) }
    deletionOrder.removeAll { !$0.state.contains(.deleted) }
    pendingDeletions.removeAll { !$0.state.contains(.deleted) }
    removeUnlisted()
    for object in returning { try takeBackNullifications(of: object) }
    return orphaned.filter { $0.source.state.contains(.deleted) }
  }

  /// The objects, and those that were reached from them.
  private func consequences(
    of objects: [ManagedObject], _ orphaned: inout [OrphanedLink]
  ) -> Set<ManagedObject> {
    var withdrawn = Set(objects)
    for entries in propagatedDeletions {
      for entry in entries where entry.source >= 0 {
        let source = entries[Int(entry.source)].object
        if withdrawn.contains(source) {
          withdrawn.insert(entry.object)
        } else if withdrawn.contains(entry.object) {
          orphaned.append(
            OrphanedLink(
              object: entry.object, source: source,
              relationship: source.layout.relationships[Int(entry.link)]))
        }
      }
    }
    return withdrawn
  }

  private func withdraw(_ object: ManagedObject) {
    if tellsChanges { event.noteRefresh(of: object) }
    object.changeState(removing: [.deleted, .propagated])
    guard !object.hasChanges else { return }
    object.leaveEvent()
    object.changeState(removing: .listing)
  }

  /// Gives links to an object back to those that its deletion had taken them from.
  private func takeBackNullifications(of object: ManagedObject) throws {
    for relationship in object.layout.relationships where relationship.inverse >= 0 {
      for other in try object.knownDestinations(of: relationship)
      where other.state.isDisjoint(with: [.deleted, .detached]) {
        let inverse = other.layout.relationships[relationship.inverse]
        if inverse.isToMany {
          forgetChange(other, relationship, about: object)
        } else if try other.object(of: inverse) == nil, other.wasLinked(to: object, by: inverse) {
          try takeBackDestination(of: other, inverse)
          forgetToOneChange(other, inverse)
        }
      }
    }
  }
}

extension ManagedObject {
  /// The objects at the other end, as far as they are known; no statement runs for a to-many.
  fileprivate final func knownDestinations(of relationship: RelationshipLayout) throws -> [ManagedObject] {
    guard relationship.isToMany else { return try storedObject(of: relationship).map { [$0] } ?? [] }
    let state = relationshipIfTouched(relationship.ordinal) as? ToManyRelationship
    return state?.members?.elements ?? []
  }

  fileprivate final func wasLinked(to object: ManagedObject, by relationship: RelationshipLayout) -> Bool {
    guard let former = extra?.committed?.reference(relationship.slot) else { return false }
    return former.key == object.key
  }
}
