extension ManagedObjectContext {
  /// Makes an object a fault again; its values are read again from the row cache, or else the store, when it
  /// is next read.
  ///
  /// Unsaved changes are dropped, links on both ends, and cannot be undone; links that pending deletions have
  /// cut stay cut. With `mergeChanges` a changed object stays realised and keeps values that differ from its
  /// committed ones on top of the present row. An object that is to be deleted stays as it is. With an undo
  /// manager pending changes are processed.
  ///
  /// - Throws: `cannot-refresh-inserted` for an object that was never saved; `context-mismatch` for one of
  ///   another context; what reading the row throws.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
    checkQueue()
    try checkRefreshable(object)
    if object.isDeleted { return }
    if mergeChanges, object.hasChanges {
      var links = RefreshedLinks()
      try refreshKeepingChanges(of: object, &links)
      return try adjustUnrecorded(links)
    }
    guard object.hasChanges else {
      if object.hasUndirtyingKeys {
        undoManager?.forget(object)
        object.leaveEvent()
      }
      let isPlain = object.state.isDisjoint(with: [.fault, .ownsRow])
      return makeFault(of: object, from: isPlain ? object.currentRow : nil)
    }
    try unrecorded {
      try dropChanges(of: object)
      makeFault(of: object)
    }
  }

  /// - Parameter former: The row that it has, unless that has values of its own, or had until now.
  private func makeFault(of object: ManagedObject, from former: Row? = nil) {
    countRefresh()
    noteRefresh(of: object, from: former)
    if object.isFault {
      // A fetch leaves its row with a fault; the cache may have a newer one by now.
      object.dropRow()
      object.dropAttachment()
    } else {
      object.turnIntoFault()
    }
  }

  /// Refreshes every registered object, keeping all unsaved changes: objects without changes become faults,
  /// others take present values where they have none of their own. New and deleted objects stay as they are.
  ///
  /// No statement runs for objects without changes; of what they held only what others hold stays in memory.
  ///
  /// - Throws: What reading the rows of changed objects throws.
  public func refreshAllObjects() throws {
    checkQueue()
    try refreshKeepingChanges(of: registry.all())
  }

  /// Refreshes saved objects, keeping all unsaved changes: links are adjusted once all have present values.
  ///
  /// - Parameter row: The row that is stored of an object, if it is known.
  func refreshKeepingChanges(
    of objects: some Sequence<ManagedObject>, row: (ManagedObject) -> Row? = { _ in nil }
  ) throws {
    var links = RefreshedLinks()
    for object in objects where object.state.isDisjoint(with: [.inserted, .deleted, .inaccessible]) {
      try refreshKeepingChanges(of: object, row: row(object), &links)
    }
    try adjustUnrecorded(links)
  }

  /// What is adjusted cannot be undone; pending changes are processed before it alone.
  private func adjustUnrecorded(_ links: RefreshedLinks) throws {
    if !links.isEmpty { try unrecorded { try adjust(links) } }
  }

  /// Refreshes saved objects with what the stores have now, keeping unsaved changes: the row cache forgets
  /// their rows first.
  ///
  /// - Throws: What reading the rows of changed objects throws.
  package func refreshFromStores(_ objects: some Sequence<ManagedObject>) throws {
    checkQueue()
    let refreshed = objects.filter { $0.state.isDisjoint(with: [.inserted, .deleted, .inaccessible]) }
    forgetRows(of: refreshed)
    try refreshKeepingChanges(of: refreshed)
  }

  /// Whether the store has a record of a saved object now.
  package func isStored(_ object: ManagedObject) throws -> Bool {
    checkQueue()
    return try storedRow(of: object) != nil
  }

  /// Counts a refresh, so that children do not take what they have read for present.
  func countRefresh() { refreshes.store(refreshes.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }

  private func checkRefreshable(_ object: ManagedObject) throws {
    try object.checkChangeable()
    try checkOwnership(of: object, before: "refreshed")
    guard object.state.contains(.inserted) else { return }
    throw GraphStoreError(
      .cannotRefreshInserted, "\(object.objectID.shortForm) was never saved and cannot be refreshed.",
      remedy: "Save it first.", entity: object.entity.name, objectID: object.objectID)
  }

  // MARK: Merging

  /// Attaches the present row to a changed object, with the values of some properties that stay its own.
  ///
  /// - Parameter row: That row, if it is known.
  func merge(into object: ManagedObject, keeping kept: PropertySet, row: Row? = nil) throws {
    countRefresh()
    noteRefresh(of: object)
    object.forgetLookups(keeping: kept)
    guard !object.isFault else { return object.dropRow() }
    let own = object.currentRow
    guard let current = try row ?? self.row(for: object), let own, let extra = object.extra else { return }
    if let committed = extra.committed { undoManager?.rebase(object, from: committed, to: current) }
    extra.forgetDecodedValues(of: object.layout, keeping: kept)
    let isOwn = object.state.contains(.ownsRow)
    object.exchangeValues(for: current)
    guard isOwn || !object.layout.transients.isEmpty, let fresh = object.currentRow else {
      return object.awakeFromRefresh()
    }
    extra.committed = isOwn ? current : extra.committed
    let merged = workingBlock(for: object.layout)
    let index = merged.appendRow(copying: fresh)
    // Values that no store keeps stay too, whenever they were set (OBJ-071).
    for leaf in object.layout.leaves where !leaf.isPersistent || (isOwn && kept.contains(leaf.number)) {
      merged.copyValue(of: leaf, from: own, to: index)
    }
    object.attach(Row(block: merged, index: index))
    if isOwn { object.changeState(adding: .ownsRow) }
    object.awakeFromRefresh()
  }

  // MARK: Dropping

  /// Drops an object's unsaved changes, links on both ends. Links that pending deletions have cut are cut
  /// again.
  private func dropChanges(of object: ManagedObject) throws {
    let hasCutLinks = hasLinksToDeleted(object)
    undoManager?.forget(object)
    try revertLinks(of: object)
    object.changeState(removing: ObjectState.listing.union(.updated))
    removeUnlisted()
    if hasCutLinks { renewPropagation() }
  }

  /// Whether the committed state of an object leads to objects that are to be deleted.
  private func hasLinksToDeleted(_ object: ManagedObject) -> Bool {
    guard !deletions.order.isEmpty else { return false }
    return object.layout.relationships.contains { relationship in
      guard relationship.inverse >= 0 else { return false }
      if relationship.isToMany {
        let members = object.relationshipIfTouched(relationship.ordinal) as? ToManyRelationship
        return members?.removed.elements.contains(where: \.isDeleted) == true
      }
      guard let committed = object.extra?.committed?.reference(relationship.slot) else { return false }
      let layout = coordinator.layout.entities[committed.entity]
      return registry.object(layout, key: committed.key, store: object.storeIndex)?.isDeleted == true
    }
  }

  /// Returns every link that the object's unsaved changes concern to its stored state, on both ends
  /// (FLT-099).
  func revertLinks(of object: ManagedObject) throws {
    for relationship in object.layout.relationships where relationship.inverse >= 0 {
      if relationship.isToMany {
        try revertMembers(of: object, relationship)
      } else if object.extra?.touched.contains(relationship.number) == true {
        try revertDestination(of: object, relationship)
      }
    }
  }

  func revertDestination(of object: ManagedObject, _ relationship: RelationshipLayout) throws {
    guard let committed = object.extra?.committed else { return }
    // Without an inverse there is no other end, and no deletion cuts the link.
    guard relationship.inverse >= 0 else {
      let stored = committed.reference(relationship.slot).flatMap {
        destination($0, of: relationship, storeIndex: object.storeIndex)
      }
      return object.writeReference(stored, of: relationship)
    }
    let stored = committed.reference(relationship.slot).flatMap {
      destination($0, of: relationship, storeIndex: object.storeIndex)
    }
    let current = try object.object(of: relationship)
    guard current !== stored else { return }
    let isLost = stored.map { !$0.state.isDisjoint(with: [.deleted, .detached]) } ?? false
    let others = coordinator.layout.entities[relationship.destination]
    if isLost || !others.relationships[relationship.inverse].isToMany {
      try object.setObject(isLost ? nil : stored, of: relationship)
    } else {
      object.writeReference(stored, of: relationship)
    }
    for other in [current, stored].compactMap({ $0 }) { forgetChange(other, relationship, about: object) }
    if let stored, stored.isDeleted {
      relinkOwner(stored, others.relationships[relationship.inverse], to: object)
    }
  }

  /// Has an object that is to be deleted know a destination of a to-one that it had lost, or has never seen:
  /// the delete rules follow the link when they are applied again.
  func relinkOwner(_ deleted: ManagedObject, _ relationship: RelationshipLayout, to partner: ManagedObject) {
    if relationship.isToMany { return }
    deleted.makeRowWritable(keepsFormer: deliversChanges)
    deleted.writeReference(partner, of: relationship)
  }

  private func revertMembers(of object: ManagedObject, _ relationship: RelationshipLayout) throws {
    guard let state = object.relationshipIfTouched(relationship.ordinal) as? ToManyRelationship else {
      return
    }
    let others = (state.added.elements + state.removed.elements).filter { !$0.isDeleted }
    if let first = others.first, !first.layout.relationships[relationship.inverse].isToMany {
      undoManager?.forget(first.layout.relationships[relationship.inverse], of: others)
    }
    for deleted in state.removed.elements where deleted.isDeleted {
      let inverse = deleted.layout.relationships[relationship.inverse]
      if !inverse.isToMany, try deleted.storedObject(of: inverse) !== object {
        relinkOwner(deleted, inverse, to: object)
      }
    }
    for other in others {
      let inverse = other.layout.relationships[relationship.inverse]
      if inverse.isToMany {
        forgetChange(other, relationship, about: object)
      } else {
        try revertDestination(of: other, inverse)
        if other.isInserted { try other.setObject(nil, of: inverse) }
        forgetToOneChange(other, inverse)
      }
    }
  }

  /// Forgets that the other end of a link has changed, where nothing else about it has.
  func forgetChange(
    _ other: ManagedObject, _ relationship: RelationshipLayout, about object: ManagedObject
  ) {
    let inverse = other.layout.relationships[relationship.inverse]
    guard inverse.isToMany else { return forgetToOneChange(other, inverse) }
    guard let state = other.relationshipIfTouched(inverse.ordinal) as? ToManyRelationship else { return }
    state.revert(object)
    if !state.hasChanges { unmark(other, inverse.number) }
  }

  func forgetToOneChange(_ other: ManagedObject, _ relationship: RelationshipLayout) {
    guard let row = other.currentRow, let committed = other.extra?.committed else { return }
    let property = other.layout.properties[relationship.number]
    if row.isEqual(committed, property) { unmark(other, relationship.number) }
  }

  private func unmark(_ object: ManagedObject, _ number: Int) {
    guard !object.state.contains(.inserted), let extra = object.extra else { return }
    extra.touched.remove(number)
    let own = extra.touched.subtracting(extra.unchanged?.touched ?? PropertySet())
    guard own.isEmpty, !object.isDeleted else { return }
    object.leaveEvent()
    object.changeState(removing: [.updated, .listed])
    removeUnlisted()
    object.returnToCommittedRow()
  }
}

extension ManagedObject {
  /// Releases what was looked up of the object: results of fetched properties, and links without unsaved
  /// changes, which are looked up again when read.
  final func forgetLookups(keeping kept: PropertySet) {
    guard let extra else { return dropAttachment() }
    extra.fetched = [:]
    extra.forgetLinks(of: self, keeping: kept)
  }

  /// Replaces the values by those of a row, with the hooks of an object that becomes a fault and is realised
  /// again.
  fileprivate final func exchangeValues(for row: Row) {
    extra?.committed = nil
    guard hasOwnClass else {
      changeState(removing: .ownsRow)
      return attach(row)
    }
    changeState(adding: .refaulting)
    willTurnIntoFault()
    changeState(removing: .ownsRow)
    attach(row)
    didTurnIntoFault()
    changeState(removing: .refaulting)
    awake()
  }

  fileprivate final func awakeFromRefresh() {
    if hasOwnClass {
      awake(fromSnapshotEvents: context?.saving.eventsOfRefresh ?? .refresh)
    }
    if state.contains(.observed) { context?.delivery.keyObservers?.reportAll(of: self) }
  }
}

extension ObjectExtra {
  /// Releases decoded values whose bytes may have changed.
  fileprivate func forgetDecodedValues(of layout: EntityLayout, keeping kept: PropertySet) {
    for number in decoded.keys where layout.properties[number].isPersistent && !kept.contains(number) {
      decoded[number] = nil
    }
  }

  /// Releases the destinations of relationships without unsaved changes; they are looked up again when read.
  fileprivate func forgetLinks(of object: ManagedObject, keeping kept: PropertySet) {
    for relationship in object.layout.relationships where relationship.ordinal < relationships.count {
      if let state = relationships[relationship.ordinal] as? ToManyRelationship {
        if relationship.isPersistent { state.forgetMembers() }
      } else if !kept.contains(relationship.number) {
        relationships[relationship.ordinal] = nil
      }
    }
  }
}
