import GraphStoreModel

extension ManagedObjectContext {
  /// Resolves conflicts with other writers by a predefined policy (CTX-197 to CTX-209).
  func resolve(_ conflicts: [MergeConflict], by type: MergePolicyType) throws {
    let present = conflicts.filter { $0.sourceObject.context === self }
    let deleted = present.map(\.sourceObject).filter(\.isDeleted)
    let withdrawal = type.prefersObject ? Withdrawal() : try withdrawDeletions(of: deleted)
    for conflict in present { try resolve(conflict, by: type) }
    try forgetLinks(to: Set(present.map(\.sourceObject).filter { $0.state.contains(.inaccessible) }))
    if type == .mergeByPropertyStoreTrump { try linkAgain(withdrawal.returned) }
    for link in withdrawal.orphaned { try link.source.remove([link.object], from: link.relationship) }
  }

  /// Restores the links of returned new objects: objects that have taken the store's values have dropped
  /// them.
  private func linkAgain(
    _ links: [(object: ManagedObject, relationship: RelationshipLayout, destination: ManagedObject)]
  ) throws {
    for (object, relationship, destination) in links where object.isPresent && destination.isPresent {
      guard try object.object(of: relationship) == nil, try destination.isFree(for: relationship) else {
        continue
      }
      try object.setObject(destination, of: relationship)
    }
  }

  private func resolve(_ conflict: MergeConflict, by type: MergePolicyType) throws {
    let object = conflict.sourceObject
    if conflict.isDeletion {
      return try type.prefersObject
        ? adoptRow(ofDeleted: object) : refreshFromStoredRow(of: object, merging: false)
    }
    // An unchanged object is here because the program wants to know of changes; only overwriting changes the
    // store by it.
    let keepsObject = object.hasChanges ? type.prefersObject : type == .overwrite
    if conflict.isGone {
      return try keepsObject && !object.isFault ? writeBack(object) : drop(gone: object)
    }
    guard object.hasChanges || type == .overwrite else {
      return try refreshFromStoredRow(of: object, merging: false)
    }
    switch type {
    case .error: return
    case .rollback: try refreshFromStoredRow(of: object, merging: false)
    case .mergeByPropertyStoreTrump:
      try discardCommonChanges(of: object)
      try refreshFromStoredRow(of: object, merging: true)
    case .mergeByPropertyObjectTrump: try mergeKeepingOrder(object)
    case .overwrite: try overwrite(object)
    }
  }

  // MARK: Other ends

  /// Refreshes an object from the row that the other writer has stored, and what its to-ones have led to and
  /// lead to now.
  private func refreshFromStoredRow(of object: ManagedObject, merging: Bool) throws {
    try renewingOtherEnds(of: object) { try refresh(object, mergeChanges: merging) }
  }

  /// Has an object take values from the row that the other writer has stored, and what its to-ones have led
  /// to and lead to now follow.
  private func renewingOtherEnds(of object: ManagedObject, _ refresh: () throws -> Void) throws {
    let former = object.committedRow
    try refresh()
    guard let former, let present = try object.extra?.committed ?? row(for: object) else { return }
    try renewOtherEnds(of: object, movedFrom: former, to: present)
  }

  /// Has the other ends of to-ones know what the other writer has linked to them, or taken from them.
  private func renewOtherEnds(of object: ManagedObject, movedFrom former: Row, to present: Row) throws {
    for relationship in object.layout.relationships
    where !relationship.isToMany && relationship.inverse >= 0 && relationship.isPersistent {
      let ends = [former, present].map { $0.reference(relationship.slot) }
      guard ends[0] != ends[1] else { continue }
      for case let reference? in ends where reference.key > 0 {
        guard
          let other = destination(reference, of: relationship, storeIndex: object.storeIndex), other.isPresent
        else { continue }
        let inverse = other.layout.relationships[relationship.inverse]
        if !inverse.isToMany {
          if !other.hasChanges { try readAnew(other) }
        } else if let members = other.relationshipIfTouched(inverse.ordinal) as? ToManyRelationship {
          // A link that is made again counts as a change then, which has a place in the order.
          if reference == ends[0] { members.drop { $0 === object } } else { members.forgetMembers() }
        }
      }
    }
  }

  /// Has objects without changes forget links to objects that a policy has dropped.
  private func forgetLinks(to dropped: Set<ManagedObject>) throws {
    if dropped.isEmpty { return }
    for object in registry.all() where !object.isFault && !object.hasChanges && object.isPresent {
      let leads = object.layout.relationships.contains { relationship in
        switch object.relationshipIfTouched(relationship.ordinal) {
        case let members as ToManyRelationship:
          members.members?.elements.contains(where: dropped.contains) == true
        case let destination as ManagedObject: dropped.contains(destination)
        default:
          !relationship.isToMany && relationship.isPersistent
            && object.currentRow?.reference(relationship.slot).map { reference in
              dropped.contains { $0.key == reference.key && $0.layout.index == reference.entity }
            } == true
        }
      }
      if leads { try readAnew(object) }
    }
  }

  /// Has an object without changes read its values from the store, whatever the row cache has of it.
  private func readAnew(_ object: ManagedObject) throws {
    registry.caches[Int(object.storeIndex)].forget(
      object.layout.rootIndex, [object.key], in: rowView)
    try refresh(object, mergeChanges: false)
  }

  // MARK: Changed records

  /// Allows the deletion of a record that another writer has changed.
  private func adoptRow(ofDeleted object: ManagedObject) throws {
    guard let row = try row(for: object) else { return }
    object.ensureExtra().committed = row
  }

  /// Discards changes that both sides have made, and a changed order of members: the store's holds.
  private func discardCommonChanges(of object: ManagedObject) throws {
    for relationship in object.layout.relationships where relationship.isOrdered {
      (object.relationshipIfTouched(relationship.ordinal) as? ToManyRelationship)?.forgetOrder()
    }
    guard let stored = try row(for: object), let own = object.currentRow, let extra = object.extra,
      let committed = extra.committed
    else { return }
    let written = extra.written
    for property in committed.properties(differingFrom: stored)
    where written.contains(property.number) && !own.hasEqualValue(committed, property) {
      if property.kind == .toOne {
        try revertDestination(of: object, object.layout.relationships[property.relationship])
      }
      undoManager?.forget(property, of: object)
      extra.forgetDecoded(property.number)
      extra.touched.remove(property.number)
      extra.primitives.remove(property.number)
    }
  }

  /// Keeps the object's changes on top of the stored values; members that the store has besides follow those
  /// that the object has put in an order (CTX-204).
  private func mergeKeepingOrder(_ object: ManagedObject) throws {
    try refreshFromStoredRow(of: object, merging: true)
    try adoptMembers(ofReordered: object)
  }

  /// Makes the record again what the object is, in every property.
  private func overwrite(_ object: ManagedObject) throws {
    try object.realize()
    let attributes = object.layout.properties.filter {
      $0.isPersistent && $0.isInRow && !$0.isDerived && $0.kind != .toOne
    }
    let toOnes = object.layout.relationships.filter { !$0.isToMany && $0.isPersistent }
    let destinations = try toOnes.map { try object.object(of: $0) }
    let lists = object.layout.relationships.compactMap { relationship in
      object.knownPairs(of: relationship).map { (relationship, $0) }
    }
    let stored = try row(for: object)
    var kept = object.ownProperties
    if let stored, let former = object.extra?.committed ?? object.currentRow {
      undoManager?.recordOverwriting(of: object, from: former, to: stored, besides: kept)
    }
    for property in attributes where stored.map({ object.canOverwrite(property, of: $0) }) != false {
      try object.prepareChange(of: property)
      kept.insert(property.number)
    }
    try renewingOtherEnds(of: object) {
      if object.hasChanges {
        try merge(into: object, keeping: kept)
      } else {
        try refresh(object, mergeChanges: false)
      }
    }
    for (relationship, destination) in zip(toOnes, destinations)
    where try object.object(of: relationship) !== destination && destination?.isPresent != false {
      try object.setObject(destination, of: relationship)
    }
    for (relationship, members) in lists {
      let state = object.toMany(relationship)
      state.forgetOrder()
      try object.setMembers(members.filter(\.isPresent), of: relationship)
    }
  }

  // MARK: Records that are gone

  /// Removes an object whose record another writer has deleted from the context.
  private func drop(gone object: ManagedObject) throws {
    undoManager?.forget(object)
    object.enterEvent()
    if object.hasChanges { try revertLinks(of: object) }
    object.changeState(removing: .updated)
    object.turnIntoFault()
    object.markInaccessible()
  }

  /// Has a deleted record written again under its key, without links to records that are gone as well
  /// (CTX-205, CTX-206).
  private func writeBack(_ object: ManagedObject) throws {
    object.enterEvent()
    object.makeRowWritable()
    for leaf in object.layout.leaves where leaf.kind == .external {
      if let own = object.currentRow { try object.takeOverData(of: leaf, into: own, from: own) }
    }
    let destinations = try clearDestinations(of: object)
    for relationship in object.layout.relationships where relationship.isToMany && relationship.isPersistent {
      guard let state = object.relationshipIfTouched(relationship.ordinal) as? ToManyRelationship else {
        continue
      }
      let members = try object.knownPairs(of: relationship).map(present) ?? state.added.elements
      object.setToMany(
        relationship.ordinal,
        ToManyRelationship(added: members.filter(\.isPresent), isOrdered: relationship.isOrdered))
    }
    object.extra?.committed = nil
    object.changeState(removing: .updated, adding: [.inserted, .assigned])
    saving.writtenBack.insert(object)
    recordChange(of: object)
    countSetter()
    for (relationship, destination) in destinations {
      try link(writtenBack: object, relationship, to: destination)
    }
  }

  /// Makes a link of a record that is written again, whose deletion has taken it from the other end.
  private func link(
    writtenBack object: ManagedObject, _ relationship: RelationshipLayout, to destination: ManagedObject
  ) throws {
    let inverse = destination.layout.relationships[relationship.inverse]
    if inverse.isToMany {
      (destination.relationshipIfTouched(inverse.ordinal) as? ToManyRelationship)?.drop { $0 === object }
    } else {
      // A partner may have got another one meanwhile.
      if !destination.hasChanges { try readAnew(destination) }
      let partner = try destination.object(of: inverse)
      guard partner == nil || partner === object else { return }
    }
    try object.setObject(destination, of: relationship)
  }

  /// Those of some objects of one entity tree whose records are there, or that are new.
  private func present(_ objects: [ManagedObject]) throws -> [ManagedObject] {
    let saved = objects.filter { $0.key > 0 }
    guard let first = saved.first else { return objects }
    var keys: Set<Int64> = []
    try readingOnce(from: first.storeIndex) { session in
      try session.rows(coordinator.layout.entities[first.layout.rootIndex], keys: saved.map(\.key)) { batch in
        batch.forEach { key, _ in keys.insert(key) }
      }
    }
    return objects.filter { $0.key < 0 || keys.contains($0.key) }
  }

  /// Clears references to records that are gone as well, and those that have an inverse.
  ///
  /// - Returns: The destinations with an inverse that are there.
  private func clearDestinations(
    of object: ManagedObject
  ) throws -> [(relationship: RelationshipLayout, destination: ManagedObject)] {
    let layouts = coordinator.layout.entities
    var destinations: [(RelationshipLayout, ManagedObject)] = []
    for relationship in object.layout.relationships where !relationship.isToMany && relationship.isPersistent
    {
      guard let reference = object.currentRow?.reference(relationship.slot), reference.key > 0 else {
        continue
      }
      let isThere = try readingOnce(from: object.storeIndex, for: .oneRecord) { session in
        try session.row(layouts[reference.entity], reference.key) != nil
      }
      let hasInverse = relationship.inverse >= 0
      if isThere, hasInverse, let destination = try object.object(of: relationship) {
        destinations.append((relationship, destination))
      }
      if !isThere || hasInverse { object.writeReference(nil, of: relationship) }
    }
    return destinations
  }
}

extension MergePolicyType {
  /// Whether the object's values take precedence over the store's.
  var prefersObject: Bool { self == .overwrite || self == .mergeByPropertyObjectTrump }
}

extension ManagedObject {
  /// Whether others can lead here by a relationship without replacing another destination.
  fileprivate final func isFree(for relationship: RelationshipLayout) throws -> Bool {
    guard relationship.inverse >= 0 else { return true }
    let inverse = layout.relationships[relationship.inverse]
    return try inverse.isToMany || object(of: inverse) == nil
  }

  /// Whether an attribute can be written over a stored one. Data in a file are copied into the own row
  /// before, as the other writer's save may have put the file out of use; where it is gone, they are lost,
  /// and the store's hold.
  fileprivate final func canOverwrite(_ property: PropertyLayout, of stored: Row) -> Bool {
    guard property.kind == .external, let own = currentRow, !own.hasEqualValue(stored, property) else {
      return true
    }
    makeRowWritable()
    guard let own = currentRow else { return false }
    return (try? takeOverData(of: property, into: own, from: own)) != nil
  }

  /// The members of a to-many that is kept in pairs, where they are known.
  fileprivate final func knownPairs(of relationship: RelationshipLayout) -> [ManagedObject]? {
    guard relationship.isToMany, relationship.isPersistent,
      relationship.inverseDescription?.isToMany != false
    else { return nil }
    return (relationshipIfTouched(relationship.ordinal) as? ToManyRelationship)?.members?.elements
  }
}
