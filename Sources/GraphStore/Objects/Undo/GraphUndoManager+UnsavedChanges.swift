import OrderedCollections

/// Effects of saves, refreshes and conflicts on the record of unsaved changes.
extension GraphUndoManager {
  /// Reads what a save makes unknowable: the values of objects whose records it deletes, with one statement
  /// an entity tree (OBJ-412), and the former members of relationships that were changed without being read,
  /// with one a relationship.
  func prepareForSave() throws {
    guard isRegistering || !undoStack.isEmpty || !redoStack.isEmpty, let context else { return }
    let objects = context.deletedObjects.filter { !$0.state.contains(.inaccessible) }
    try context.loadRows(of: objects.filter { $0.block == nil })
    for object in objects where object.block != nil {
      try object.loadMembers()
      removedObjects.keep(object)
    }
    try keepMemberships(of: objects.filter { $0.block != nil }, in: context)
    try resolveUnknownMembers(in: context)
    if !isRegistering { dropDepartures() }
  }

  private func resolveUnknownMembers(in context: ManagedObjectContext) throws {
    var unread:
      OrderedDictionary<ObjectIdentifier, (relationship: RelationshipLayout, owners: [ManagedObject])> = [:]
    forEachUnsavedReversal { reversal in
      let (owner, relationships) = (reversal.object, reversal.object.layout.relationships)
      for (ordinal, log) in reversal.members where log.isUncertain && owner.context === context {
        let relationship = relationships[ordinal]
        if owner.toMany(relationship).isResolved { continue }
        unread[ObjectIdentifier(relationship.description), default: (relationship, [])].owners.append(owner)
      }
    }
    for (relationship, owners) in unread.values {
      try context.resolve(relationship, of: ObjectSet(owners).elements)
    }
    forEachUnsavedReversal { $0.resolveUnknownMembers() }
  }

  /// Forgets what the unsaved changes of an object were, which a refresh has dropped (FLT-114); not the links
  /// that deletions have cut, which stay cut.
  func forget(_ object: ManagedObject) {
    forEachUnsavedStep { step in
      for index in step.reversals.indices {
        if step.reversals[index].object === object {
          step.reversals[index].forgetAllButCuts()
        } else {
          step.reversals[index].forgetMember(object)
        }
      }
      step.reversals.removeAll { $0.object === object && $0.isEmpty }
      step.dropIfVoid()
      forgetPostponements(in: &step) { $0.object === object }
    }
    removeEmptyGroups()
  }

  /// Forgets what the to-one at the other end of a link was of some objects, which a refresh of this end has
  /// reverted as well.
  func forget(_ relationship: RelationshipLayout, of objects: [ManagedObject]) {
    let concerned = Set(objects.map { ObjectIdentifier($0) })
    if concerned.isEmpty { return }
    forEachUnsavedStep { step in
      for index in step.reversals.indices
      where concerned.contains(ObjectIdentifier(step.reversals[index].object)) {
        let object = step.reversals[index].object
        step.reversals[index].forget(object.layout.properties[relationship.number])
      }
      step.reversals.removeAll { concerned.contains(ObjectIdentifier($0.object)) && $0.isEmpty }
      step.dropIfVoid()
      forgetPostponements(in: &step) { reversal in
        concerned.contains(ObjectIdentifier(reversal.object)) && reversal.sets(relationship.number)
      }
    }
    removeEmptyGroups()
  }

  /// Forgets the reversals of an object that wait for another object's return.
  private func forgetPostponements(in step: inout UndoStep, where isVoid: (ObjectReversal) -> Bool) {
    _ = removedObjects.withdraw(step.postponements.filter { isVoid($0.reversal) })
    step.postponements.removeAll { isVoid($0.reversal) }
  }

  /// Adopts what others have stored of properties that an object has changed as well, and keeps changed:
  /// undoing all changes leads to what is stored, and not to what was stored once (CTX-159). Links with an
  /// inverse are left alone.
  func rebase(_ object: ManagedObject, from former: Row, to present: Row) {
    forEachDifference(of: object, from: former, to: present) { place, _, old, new in
      replaceFirst(old, at: place, of: object, by: new)
    }
  }

  /// Adopts the values that others have stored of properties that an object has not changed, and that are
  /// written over all the same: undoing all changes of the object leads to those as well (CTX-159). Links
  /// with an inverse are left alone.
  ///
  /// - Parameter own: The properties that the object has changed.
  func recordOverwriting(
    of object: ManagedObject, from former: Row, to present: Row, besides own: PropertySet
  ) {
    forEachDifference(of: object, from: former, to: present) { place, leaf, _, new in
      if !own.contains(leaf.number) { addToFirst(new, at: place, of: object) }
    }
  }

  /// Forgets what one property of an object was, whose unsaved change a resolved conflict has dropped
  /// (CTX-159). A link whose other end is one object is left alone.
  func forget(_ property: PropertyLayout, of object: ManagedObject) {
    let relationship = property.kind == .toOne ? object.layout.relationships[property.relationship] : nil
    if let relationship, relationship.inverseDescription?.isToMany == false { return }
    forEachUnsavedStep { step in
      for index in step.reversals.indices {
        if step.reversals[index].object === object {
          step.reversals[index].forget(property)
        } else if let relationship {
          step.reversals[index].forgetMember(object, of: relationship)
        }
      }
      step.reversals.removeAll { $0.object === object && $0.isEmpty }
      step.dropIfVoid()
    }
    removeEmptyGroups()
  }

  private func forEachDifference(
    of object: ManagedObject, from former: Row, to present: Row,
    _ body: (Int, PropertyLayout, ObjectReversal.FormerValue, ObjectReversal.FormerValue) -> Void
  ) {
    guard let context else { return }
    for (place, leaf) in object.layout.leaves.enumerated()
    where leaf.isPersistent && !leaf.isDerived && !present.hasEqualValue(former, leaf) {
      if leaf.kind == .toOne, object.layout.relationships[leaf.relationship].inverse >= 0 { continue }
      guard let old = context.formerValue(of: leaf, in: former, object),
        let new = context.formerValue(of: leaf, in: present, object)
      else { continue }
      body(place, leaf, old, new)
    }
  }

  /// Adds a value to what was recorded first of an object's unsaved changes, unless a change of that value
  /// was recorded.
  private func addToFirst(_ value: ObjectReversal.FormerValue, at place: Int, of object: ManagedObject) {
    var isRecorded = false
    forEachUnsavedReversal { reversal in
      if reversal.object === object, reversal.values.contains(where: { $0.place == place }) {
        isRecorded = true
      }
    }
    forEachUnsavedReversal { reversal in
      guard !isRecorded, reversal.object === object else { return }
      reversal.values.append((place, value))
      isRecorded = true
    }
  }

  private func replaceFirst(
    _ old: ObjectReversal.FormerValue, at place: Int, of object: ManagedObject,
    by new: ObjectReversal.FormerValue
  ) {
    var isReplaced = false
    forEachUnsavedReversal { reversal in
      guard !isReplaced, reversal.object === object else { return }
      guard let index = reversal.values.firstIndex(where: { $0.place == place && $0.value == old }) else {
        return
      }
      reversal.values[index].value = new
      isReplaced = true
    }
  }

  private func forEachUnsavedReversal(_ body: (inout ObjectReversal) -> Void) {
    forEachUnsavedStep { step in
      for index in step.reversals.indices { body(&step.reversals[index]) }
    }
  }
}

extension ObjectReversal {
  /// Adds the former members that are known by now of relationships that were not read when they changed.
  fileprivate mutating func resolveUnknownMembers() {
    for place in members.indices where members[place].log.isUncertain {
      let state = object.toMany(object.layout.relationships[members[place].ordinal])
      members[place].log.order = state.formerOrder(of: members[place].log)
      members[place].log.resolveUnknown { state.wasMember($0, isUnsaved: true) }
    }
  }

  /// Forgets everything but the links to objects that are to be deleted.
  fileprivate mutating func forgetAllButCuts() {
    var kept = PropertySet()
    presence = .stays
    values = values.filter { place, value in
      guard case .destination(let destination?) = value, destination.state.isDeletion else { return false }
      kept.insert(object.layout.leaves[place].number)
      return true
    }
    members = members.compactMap { ordinal, log in
      let cut = log.entries.filter { $0.object.state.isDeletion }
      guard !cut.isEmpty else { return nil }
      kept.insert(object.layout.relationships[ordinal].number)
      return (ordinal, MembershipLog(cut, as: log))
    }
    touched = touched.subtracting(touched.subtracting(kept))
    wasUpdated = wasUpdated && !touched.isEmpty
  }

  /// Whether it says what a property with a slot in the row was.
  fileprivate func sets(_ number: Int) -> Bool {
    values.contains { place, value in
      if case .any = value { return false }
      return object.layout.leaves[place].number == number
    }
  }

  /// Forgets what is said of one property.
  fileprivate mutating func forget(_ property: PropertyLayout) {
    values.removeAll { place, value in
      if case .any = value { return false }
      return object.layout.leaves[place].number == property.number
    }
    touched.remove(property.number)
  }

  /// Forgets what is said of one member at the other end of a relationship of its.
  fileprivate mutating func forgetMember(_ member: ManagedObject, of relationship: RelationshipLayout) {
    guard object.entity.isKind(of: relationship.destinationEntity) else { return }
    for place in members.indices where members[place].ordinal == relationship.inverse {
      members[place].log.forget(member)
    }
    members.removeAll { $0.log.isEmpty }
  }

  /// Forgets what is said of one member.
  fileprivate mutating func forgetMember(_ member: ManagedObject) {
    for place in members.indices { members[place].log.forget(member) }
    members.removeAll { $0.log.isEmpty }
  }
}

extension ObjectReversal.FormerValue {
  /// Whether two values of a property with a slot in the row are the same.
  fileprivate static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.attribute(let left), .attribute(let right)): left == right
    case (.destination(let left), .destination(let right)): left === right
    default: false
    }
  }
}
