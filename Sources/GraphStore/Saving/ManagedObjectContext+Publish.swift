extension ManagedObjectContext {
  /// Applies the result of a store's write: permanent keys, versions, snapshots, and the row cache's rows.
  ///
  /// Inside a transaction the rows are stored in the row cache's overlay, since they may still be rolled
  /// back.
  ///
  /// - Returns: The objects that have got other derived values, where somebody is told of it.
  func publish(_ save: StoreSave, isNested: Bool) -> [ManagedObject] {
    guard let record = save.record else { return [] }
    let (request, cache) = (record.request, save.mount.store.rowCache)
    if fetching.knownCommitNumber == source.commitNumber { fetching.knownCommitNumber += 1 }
    coordinator.recordSave()
    family.record(request.permanentKeys, storeIndex: save.mount.index)
    registry.adopt(save.changes.inserted, request.permanentKeys, storeIndex: save.mount.index)
    for update in request.updates {
      update.row.block.setVersion(update.row.index, update.row.version + 1)
    }
    for insertion in request.insertions { insertion.row.block.setVersion(insertion.row.index, 1) }
    save.changes.inserted.forEachBorrowed { $0.renewReferences(request.permanentKeys, isLast: true) }
    if !save.changes.inserted.isEmpty {
      save.changes.updated.forEachBorrowed { $0.renewReferences(request.permanentKeys, isLast: true) }
    }
    if isNested {
      cache.recordDeletions(record)
    } else {
      cache.recordCommit(record)
    }
    let derived = DerivedValueAdoption(record.derived, in: self, save.mount)
    derived?.set(in: save.changes.inserted + save.written)
    shareRows(of: save.changes.inserted, cache, from: isNested ? .transaction : .commit)
    shareRows(of: save.written, cache, from: isNested ? .transaction : .commit)
    if isNested {
      for (root, keys) in request.touched { cache.forget(root, keys, in: .transaction) }
    } else {
      adopt(record.versions, derived, save.mount)
    }
    if !coordinator.layout.derivedAttributes.isEmpty {
      // Others may be reading the blocks from here on, to whose rows a later part of the save may add derived
      // values.
      for object in save.changes.inserted + save.written { object.block?.isShared = true }
    }
    derived?.adopt()
    return derived?.renewed ?? []
  }

  /// Has the next event tell of derived values that saves have changed: their objects count as refreshed,
  /// since a derived value marks none as updated (MDL-177).
  func noteDerivedValues(of saves: [StoreSave], renewed objects: [ManagedObject]) {
    for object in objects where object.isPresent { noteRefresh(of: object) }
    guard delivery.observers.wantsMergedRecords else { return }
    for save in saves {
      unsaved.event.derivedTrees.formUnion(save.record?.changedDerivations.map(\.root) ?? [])
    }
  }

  /// Closes the event of derived values that a save has changed. The save has succeeded, whatever an observer
  /// does.
  func tellDerivedValues() {
    guard unsaved.event.hasRefreshed || !unsaved.event.derivedTrees.isEmpty else { return }
    do { try processPendingChanges() } catch { keepDeferred(error) }
  }

  /// Puts the written rows into the row cache.
  private func shareRows(of objects: [ManagedObject], _ cache: RowCache, from origin: RowCache.Origin) {
    var objects = objects
    if coordinator.layout.hasTransients {
      var copies = StoredRowCopies()
      for object in objects where !object.layout.transients.isEmpty { copies.add(object) }
      copies.share(with: cache, from: origin)
      objects.removeAll { !$0.layout.transients.isEmpty }
    }
    var start = 0
    while start < objects.count {
      let root = objects[start].layout.rootIndex
      let end = objects[start...].firstIndex { $0.layout.rootIndex != root } ?? objects.count
      cache.hold(root, rowsOf: objects[start..<end], from: origin)
      start = end
    }
  }

  /// Attaches to objects of which only members changed rows with the versions and derived values that the
  /// store has assigned, unless the store's row was another one already.
  private func adopt(_ versions: [RecordVersion], _ derived: DerivedValueAdoption?, _ mount: Mount) {
    if versions.isEmpty { return }
    let layouts = coordinator.layout.entities
    var renewed: [ManagedObject] = []
    for version in versions {
      guard let object = registry.object(layouts[version.root], key: version.key, store: mount.index),
        let row = object.currentRow, row.version + 1 == version.version
      else { continue }
      let block = workingBlock(for: object.layout)
      let index = block.appendRow(copying: row)
      block.setVersion(index, version.version)
      object.attach(Row(block: block, index: index))
      renewed.append(object)
    }
    derived?.set(in: renewed)
    retireWorkingBlocks()
    // Not before all are there: the tail of a block moves as it grows, and others read what is in the row
    // cache.
    for object in renewed { object.block?.isShared = true }
    shareRows(of: renewed, mount.store.rowCache, from: .commit)
  }

  /// Ends a save: no object has changes any more, deleted ones leave the context.
  func finish(_ save: PendingSave) {
    let saved = unsaved.objects
    unsaved.objects = []
    forgetDeletions()
    resetEvent()
    saved.forEachBorrowed { if !$0.state.isDeletion { markSaved($0) } }
    detach(save.deleted)
    detachMergedDeletions()
    guard saved.firstIndexBorrowed(where: { $0.hasOwnClass }) != nil else { return }
    save.forEachObject { $0.didSave() }
  }

  /// Ends the part of a save that one store has; changes to objects of other stores stay.
  func finish(_ save: StoreSave) {
    save.changes.inserted.forEachBorrowed { markSaved($0) }
    save.changes.updated.forEachBorrowed { markSaved($0) }
    detach(save.changes.deleted)
    removeUnlisted()
    deletions.order.removeAll { $0.state.contains(.detached) }
    save.changes.forEachObject { $0.didSave() }
  }

  /// Cuts objects off whose deletion by others was merged (CTX-262).
  func detachMergedDeletions() {
    guard deletions.areMerged else { return }
    deletions.areMerged = false
    detach(registry.departedObjects())
  }

  private func detach(_ deleted: [ManagedObject]) {
    deleted.forEachBorrowed { object in
      object.turnIntoFault()
      object.leave(.detached)
    }
  }

  private func markSaved(_ object: ManagedObject) {
    object.changeState(removing: ObjectState.listing.union([.inserted, .updated, .ownsRow, .assigned]))
    object.block?.isShared = true
    guard let extra = object.extra else { return }
    extra.committed = nil
    extra.insertion = nil
    extra.snapshot = nil
    extra.unchanged = nil
    extra.untransformed = [:]
    extra.touched = PropertySet()
    extra.primitives = PropertySet()
    for case let relationship as ToManyRelationship in extra.relationships { relationship.markSaved() }
  }
}

extension ManagedObject {
  /// Writes the permanent keys of destinations that primitive writes have named by temporary ones, where an
  /// earlier save has assigned them: the object was no part of it.
  final func renewPrimitiveReferences() {
    guard state.contains(.ownsRow), let row = currentRow else { return }
    for relationship in layout.relationships where !relationship.isToMany {
      guard let reference = row.reference(relationship.slot), reference.key < 0,
        let known = knownDestination(relationship.ordinal), known.key > 0
      else { continue }
      row.block.setWord(
        row.index, relationship.slot, PackedReference(entity: known.layout.index, key: known.key).bits)
    }
  }

  /// Writes the permanent keys of destinations that have got some into the object's own row.
  ///
  /// - Parameter isLast: Whether the row is complete then: other new destinations are objects of other
  ///   stores, to which only transient relationships lead, which the object alone knows.
  final func renewReferences(_ keys: PermanentKeyMap, isLast: Bool = false) {
    guard !layout.toOneSlots.isEmpty, state.contains(.ownsRow), let row = currentRow else { return }
    if let first = extra?.insertion?.row { renew(first, keys) }
    for slot in layout.toOneSlots {
      guard let reference = row.reference(slot), reference.key < 0 else { continue }
      let key = keys[reference.key]
      if key > 0 {
        row.block.setWord(row.index, slot, PackedReference(entity: reference.entity, key: key).bits)
      } else if isLast {
        row.block.setNull(row.index, slot)
      }
    }
  }

  private func renew(_ row: Row, _ keys: PermanentKeyMap) {
    for slot in layout.toOneSlots {
      guard let reference = row.reference(slot), reference.key < 0, keys[reference.key] > 0 else { continue }
      row.block.setWord(
        row.index, slot, PackedReference(entity: reference.entity, key: keys[reference.key]).bits)
    }
  }
}
