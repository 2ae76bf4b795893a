extension ManagedObject {
  final var extra: ObjectExtra? {
    if case .extra(let extra) = attachment { return extra }
    return nil
  }

  /// The extra part, made when first needed; what was attached instead moves there.
  final func ensureExtra() -> ObjectExtra {
    if case .extra(let extra) = attachment { return extra }
    let made = ObjectExtra()
    if case .destination(let object) = attachment {
      made.setRelationship(Int(attachedRelationship), object, of: layout)
    }
    attachment = .extra(made)
    return made
  }

  // MARK: Relationships

  /// The destination of a to-one that was looked up or set, or the ``ToManyRelationship`` of a to-many, by
  /// the relationship's position; nil for one that was not touched.
  final func relationshipIfTouched(_ ordinal: Int) -> AnyObject? {
    switch attachment {
    case .destination(let object): ordinal == Int(attachedRelationship) ? object : nil
    case .extra(let extra): ordinal < extra.relationships.count ? extra.relationships[ordinal] : nil
    case .nothing: nil
    }
  }

  /// The destination of a to-one that was looked up or set before.
  @inline(__always)
  final func knownDestination(_ ordinal: Int) -> ManagedObject? {
    if case .destination(let object) = attachment {
      return ordinal == Int(attachedRelationship) ? object : nil
    }
    return relationshipIfTouched(ordinal) as? ManagedObject
  }

  final func setToMany(_ ordinal: Int, _ relationship: ToManyRelationship) {
    ensureExtra().setRelationship(ordinal, relationship, of: layout)
  }

  /// Keeps the destination of a to-one: the first is stored instead of the extra part.
  final func setDestination(_ ordinal: Int, _ destination: ManagedObject?) {
    switch attachment {
    case .nothing:
      guard let destination else { return }
      attachedRelationship = Int32(truncatingIfNeeded: ordinal)
      attachment = .destination(destination)
    case .destination where ordinal == Int(attachedRelationship):
      let destination = destination.map { ObjectAttachment.destination($0) } ?? .nothing
      releaseDestination()
      attachment = destination
    case .destination where destination == nil: return
    case .destination, .extra:
      ensureExtra().setRelationship(ordinal, destination, of: layout)
    }
  }

  /// Releases the attached destination; not by recursion where that would release the next one down a chain.
  final func releaseDestination() {
    var destination = attachment.consumeDestination()
    guard destination != nil, isKnownUniquelyReferenced(&destination) else { return }
    var last: [AnyObject?] = [destination]
    destination = nil
    IterativeReleaseQueue.release(&last)
  }

  /// Releases everything beside the row.
  final func dropAttachment() {
    releaseDestination()
    attachment = .nothing
  }

  /// The members of the to-manys that are known and have some, by the relationship's position.
  final var knownMembers: [Int: [ManagedObject]] {
    var members: [Int: [ManagedObject]] = [:]
    for relationship in layout.relationships where relationship.isToMany {
      let state = relationshipIfTouched(relationship.ordinal) as? ToManyRelationship
      if let present = state?.members?.elements, !present.isEmpty { members[relationship.ordinal] = present }
    }
    return members
  }

  /// Removes links to objects that are gone, on this end alone.
  final func dropLinks(to isGone: (ManagedObject) -> Bool) {
    for relationship in layout.relationships {
      switch relationshipIfTouched(relationship.ordinal) {
      case let members as ToManyRelationship: members.drop(isGone)
      case let destination as ManagedObject where isGone(destination):
        if state.contains(.ownsRow) { writeReference(nil, of: relationship) }
      default: break
      }
    }
  }

  /// Releases destinations that a newer row does not name any more.
  final func forgetDestinations(movedFrom old: Row, to new: Row) {
    for relationship in layout.relationships where !relationship.isToMany {
      guard old.reference(relationship.slot) != new.reference(relationship.slot) else { continue }
      if relationshipIfTouched(relationship.ordinal) != nil { setDestination(relationship.ordinal, nil) }
    }
  }
}

/// Attachment of an object beside its row, in one word: most objects have nothing, or have been asked for one
/// destination.
enum ObjectAttachment {
  case nothing
  /// The destination of the one to-one that was looked up.
  case destination(ManagedObject)
  case extra(ObjectExtra)

  /// Removes and returns the destination, if there is one.
  mutating func consumeDestination() -> ManagedObject? {
    guard case .destination(let object) = self else { return nil }
    self = .nothing
    return object
  }
}
