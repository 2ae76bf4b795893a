extension ManagedObjectContext {
  /// Takes objects out of the context whose records others have deleted, cuts the links of others to them,
  /// and leaves nothing of them to be saved (CTX-262 to CTX-264).
  ///
  /// - Returns: The objects that have lost a link, which is a change to be saved.
  func mergeDeletions(of deleted: [ManagedObject]) throws -> [ManagedObject] {
    for object in deleted { undoManager?.forget(object) }
    let before =
      deliversChanges
      ? deleted.map { object in
        ContextChanges.Change(object, before: object.eventSnapshot ?? EventSnapshot(object))
      } : []
    // All at first, so that no link between two of them is cut.
    for object in deleted { object.changeState(adding: .deleted) }
    var changed: Set<ManagedObject> = []
    for object in deleted { try cutLinks(to: object, &changed) }
    for object in deleted { endMergedDeletion(of: object) }
    forgetUnsavedChanges(of: deleted)
    deletions.areMerged = true
    unsaved.event.mergedDeletions += before
    countSetter()
    return changed.filter { $0.hasChanges && $0.isPresent }
  }

  /// Takes everything unsaved of deleted objects out of the lists.
  private func forgetUnsavedChanges(of deleted: [ManagedObject]) {
    removeUnlisted()
    unsaved.event.again.removeAll { $0.state.contains(.deletedElsewhere) }
    deletions.order.removeAll { $0.state.contains(.deletedElsewhere) }
    deletions.pending.removeAll { $0.state.contains(.deletedElsewhere) }
    saving.writtenBack.subtract(deleted)
    saving.lockedObjects.subtract(deleted)
  }

  /// Gives an object its committed values, or those of a record that is gone where it has none, and takes it
  /// out of the registry.
  private func endMergedDeletion(of object: ManagedObject) {
    if object.layout.hasTransientLinks { object.leaveTransientLinks() }
    if object.state.contains(.fault) {
      object.attachEmptyRow()
    } else if let committed = object.extra?.committed {
      object.attach(committed)
    }
    object.dropAttachment()
    registry.depart(object)
    object.changeState(
      removing: ObjectState.listing.union([
        .registered, .holdsRow, .inserted, .updated, .ownsRow, .assigned, .fault,
      ]),
      adding: [.deleted, .inaccessible, .propagated, .deletedElsewhere])
  }

  // MARK: Links

  /// Cuts the links of present objects to one that is deleted, as far as they are held here.
  private func cutLinks(to object: ManagedObject, _ changed: inout Set<ManagedObject>) throws {
    for relationship in object.layout.relationships where relationship.inverse >= 0 {
      for other in object.knownDestinations(of: relationship, includingFormer: true) where other.isPresent {
        if try cut(relationship, of: object, from: other) { changed.insert(other) }
      }
    }
  }

  /// Cuts one link at the other end; a change of that which is not saved is forgotten.
  ///
  /// - Returns: Whether the other end has changed by it.
  private func cut(
    _ relationship: RelationshipLayout, of object: ManagedObject, from other: ManagedObject
  ) throws -> Bool {
    let inverse = other.layout.relationships[relationship.inverse]
    guard inverse.isToMany else { return try cutToOne(inverse, from: other, to: object) }
    guard let members = other.relationshipIfTouched(inverse.ordinal) as? ToManyRelationship else {
      return false
    }
    if members.added.contains(object) || members.removed.contains(object) {
      forgetChange(other, relationship, about: object)
    }
    guard members.knows(object) == true else { return false }
    try other.unlinkInverse(object, relationship)
    return true
  }

  private func cutToOne(
    _ relationship: RelationshipLayout, from other: ManagedObject, to object: ManagedObject
  ) throws -> Bool {
    guard !other.state.contains(.fault), let reference = other.currentRow?.reference(relationship.slot),
      reference.key == object.key,
      coordinator.layout.entities[reference.entity].rootIndex == object.layout.rootIndex
    else { return false }
    try other.prepareChange(of: other.layout.properties[relationship.number])
    other.writeReference(nil, of: relationship)
    forgetToOneChange(other, relationship)
    return true
  }
}
