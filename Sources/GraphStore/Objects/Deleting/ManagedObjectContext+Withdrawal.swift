import GraphStoreModel

extension ManagedObjectContext {
  /// A link that an object has lost for good, though its own deletion was withdrawn: the object at the other
  /// end is deleted.
  struct OrphanedLink {
    let object: ManagedObject
    let source: ManagedObject
    /// The relationship of the source.
    let relationship: RelationshipLayout
  }

  /// Remaining work of a withdrawal of deletions, for the code that resolves the conflict.
  struct Withdrawal {
    /// Links from objects that stay deleted to those that are not deleted any more.
    var orphaned: [OrphanedLink] = []
    /// New objects that were restored, with the destinations of their to-ones.
    var returned: [(object: ManagedObject, relationship: RelationshipLayout, destination: ManagedObject)] = []
  }

  /// Withdraws the deletion of objects, with every deletion and nullification that delete rules have made of
  /// it (CTX-207). New objects that had left the context by them are restored.
  func withdrawDeletions(of objects: [ManagedObject]) throws -> Withdrawal {
    if objects.isEmpty { return Withdrawal() }
    var orphaned: [OrphanedLink] = []
    let withdrawn = consequences(of: objects, &orphaned)
    for object in deletions.order where withdrawn.contains(object) { withdraw(object) }
    let new = deletions.cascades.flatMap(\.objects).filter {
      withdrawn.contains($0) && deletions.removedObjects[$0] != nil
    }
    for object in new { reinsert(object) }
    let returning = deletions.order.filter { !$0.state.contains(.deleted) }
    deletions.order.removeAll { !$0.state.contains(.deleted) }
    deletions.pending.removeAll { !$0.state.contains(.deleted) }
    removeUnlisted()
    for object in returning { try restoreNullifiedLinks(of: object) }
    return Withdrawal(
      orphaned: orphaned.filter { $0.source.state.contains(.deleted) },
      returned: try new.flatMap { try returnLinks(of: $0) })
  }

  /// Has a new object enter the context again, with its values and with links to what is there.
  private func reinsert(_ object: ManagedObject) {
    guard let removedObject = deletions.removedObjects.removeValue(forKey: object) else { return }
    reinsert(object, removedObject)
    object.changeState(adding: [.inEvent, .insertedInEvent])
  }

  /// Restores the other ends of an object's links that its deletion had cut.
  private func returnLinks(
    of object: ManagedObject
  ) throws -> [(object: ManagedObject, relationship: RelationshipLayout, destination: ManagedObject)] {
    object.dropLinks { !$0.isPresent }
    var links: [(ManagedObject, RelationshipLayout, ManagedObject)] = []
    for relationship in object.layout.relationships {
      for other in try object.resolvedDestinations(of: relationship) {
        if !relationship.isToMany { links.append((object, relationship, other)) }
        if relationship.inverse >= 0 { try other.linkInverse(object, relationship) }
      }
    }
    return links
  }

  /// The objects, and those that were reached from them.
  private func consequences(
    of objects: [ManagedObject], _ orphaned: inout [OrphanedLink]
  ) -> Set<ManagedObject> {
    var withdrawn = Set(objects)
    for cascade in deletions.cascades {
      for (position, object) in cascade.objects.enumerated() {
        guard let source = cascade.source(at: position),
          let relationship = cascade.relationship(at: position)
        else { continue }
        if withdrawn.contains(source) {
          withdrawn.insert(object)
        } else if withdrawn.contains(object) {
          orphaned.append(OrphanedLink(object: object, source: source, relationship: relationship))
        }
      }
    }
    return withdrawn
  }

  private func withdraw(_ object: ManagedObject) {
    noteRefresh(of: object)
    object.changeState(removing: [.deleted, .propagated])
    guard !object.hasChanges else { return }
    object.leaveEvent()
    object.changeState(removing: .listing)
  }

  /// Restores links to an object in those from which its deletion had removed them.
  private func restoreNullifiedLinks(of object: ManagedObject) throws {
    for relationship in object.layout.relationships where relationship.inverse >= 0 {
      for other in try object.resolvedDestinations(of: relationship)
      where other.state.isDisjoint(with: [.deleted, .detached]) {
        let inverse = other.layout.relationships[relationship.inverse]
        if inverse.isToMany {
          forgetChange(other, relationship, about: object)
        } else if try other.object(of: inverse) == nil, other.wasLinked(to: object, by: inverse) {
          try revertDestination(of: other, inverse)
          forgetToOneChange(other, inverse)
        }
      }
    }
  }
}

extension ManagedObject {
  /// The objects at the other end, as far as they are known; no statement runs for a to-many.
  final func resolvedDestinations(of relationship: RelationshipLayout) throws -> [ManagedObject] {
    guard relationship.isToMany else { return try storedObject(of: relationship).map { [$0] } ?? [] }
    let state = relationshipIfTouched(relationship.ordinal) as? ToManyRelationship
    return state?.members?.elements ?? []
  }

  /// Enters an object, which points here through a relationship, in the inverse; a partner that has got
  /// another one meanwhile keeps it.
  fileprivate final func linkInverse(_ source: ManagedObject, _ relationship: RelationshipLayout) throws {
    let inverse = layout.relationships[relationship.inverse]
    if inverse.isToMany {
      recordMembership(of: inverse) { $0.add(source) }
    } else if try object(of: inverse) == nil {
      try prepareChange(of: layout.properties[inverse.number])
      writeReference(source, of: inverse)
    } else if try object(of: inverse) !== source {
      try source.prepareChange(of: source.layout.properties[relationship.number])
      source.writeReference(nil, of: relationship)
    }
  }

  fileprivate final func wasLinked(to object: ManagedObject, by relationship: RelationshipLayout) -> Bool {
    guard let former = extra?.committed?.reference(relationship.slot) else { return false }
    return former.key == object.key
  }
}
