extension ManagedObjectContext {
  /// Takes over what a store has written: permanent keys, versions, snapshots, and the row cache's rows.
  ///
  /// Inside a transaction the rows go to the row cache's overlay, since they may still be taken back.
  func publish(_ request: SaveRequest, _ builder: SaveRequestBuilder, isNested: Bool) {
    guard let mount = builder.mount else { return }
    let cache = mount.store.rowCache
    if knownSaveCount == coordinator.saveCount { knownSaveCount += 1 }
    coordinator.recordSave()
    retireWorkingBlocks()
    registry.adopt(builder.inserted, request.permanentKeys, storeIndex: builder.storeIndex)
    for update in request.updates {
      update.row.block.setVersion(update.row.index, update.committed.version + 1)
    }
    for insertion in request.insertions { insertion.row.block.setVersion(insertion.row.index, 1) }
    for object in builder.inserted { replaceReferences(of: object, request.permanentKeys) }
    if !builder.inserted.isEmpty {
      for object in builder.updated { replaceReferences(of: object, request.permanentKeys) }
    }
    if isNested {
      cache.recordDeletions(request.deletions)
    } else {
      cache.recordCommit(deleting: request.deletions)
    }
    shareRows(of: builder.inserted, cache, from: isNested ? .transaction : .commit)
    shareRows(of: builder.written, cache, from: isNested ? .transaction : .commit)
    for (root, keys) in request.touched where isNested { cache.forget(root, keys, inTransaction: true) }
  }

  /// Puts the written rows into the row cache.
  private func shareRows(of objects: [ManagedObject], _ cache: RowCache, from origin: RowCache.Origin) {
    var start = 0
    while start < objects.count {
      let root = objects[start].layout.rootIndex
      let end = objects[start...].firstIndex { $0.layout.rootIndex != root } ?? objects.count
      cache.hold(root, rowsOf: objects[start..<end], from: origin)
      start = end
    }
  }

  /// Gives objects of which only members changed rows of the versions that the store has given them, unless the store's
  /// row was another one already.
  func adopt(_ versions: [RecordVersion], storeIndex: Int32) {
    guard !versions.isEmpty, let store = try? store(at: storeIndex) else { return }
    let layouts = coordinator.layout.entities
    for version in versions {
      guard let object = registry.object(layouts[version.root], version.key, storeIndex),
        let row = object.currentRow, row.version + 1 == version.version
      else { continue }
      let block = workingBlock(for: object.layout)
      let index = block.appendRow(copying: row)
      block.setVersion(index, version.version)
      let renewed = Row(block: block, index: index)
      object.attach(renewed)
      store.rowCache.put(object.layout.rootIndex, object.key, renewed, holders: 0, from: .commit)
    }
    retireWorkingBlocks()
  }

  private func replaceReferences(of object: ManagedObject, _ keys: TemporaryKeyMap) {
    guard !object.layout.toOneSlots.isEmpty, object.state.contains(.ownsRow), let row = object.currentRow
    else { return }
    for slot in object.layout.toOneSlots {
      guard let reference = row.reference(slot), reference.key < 0 else { continue }
      let replaced = PackedReference(entity: reference.entity, key: keys[reference.key])
      row.block.setWord(row.index, slot, replaced.bits)
    }
  }

  /// Ends a save: no object has changes any more, deleted ones leave the context.
  func finish(_ builder: SaveRequestBuilder) {
    let saved = changedObjects
    changedObjects = []
    deletionOrder = []
    for object in saved where !object.isDeleted { settle(object) }
    for object in builder.deleted {
      object.turnIntoFault()
      object.leave(.detached)
    }
    guard saved.contains(where: { type(of: $0) != ManagedObject.self }) else { return }
    for object in builder.inserted + builder.updated + builder.deleted { object.didSave() }
  }

  private func settle(_ object: ManagedObject) {
    object.changeState(removing: [.inserted, .updated, .listed, .ownsRow])
    object.block?.isShared = true
    guard let extra = object.extra else { return }
    extra.committed = nil
    extra.touched = PropertySet()
    for case let relationship as ToManyRelationship in extra.relationships { relationship.markSaved() }
  }
}
