extension ManagedObjectContext {
  /// Takes over what a store has written: permanent keys, versions, snapshots, and the row cache's rows.
  ///
  /// Inside a transaction the row cache forgets the rows instead, since they may still be taken back.
  func publish(_ request: SaveRequest, _ builder: SaveRequestBuilder, isNested: Bool) {
    guard let store = builder.store else { return }
    retireWorkingBlocks()
    for object in builder.inserted { adopt(request.permanentKeys[object.key], object, builder.storeIndex) }
    for update in request.updates {
      update.row.block.setVersion(update.row.index, update.committed.version + 1)
    }
    for insertion in request.insertions { insertion.row.block.setVersion(insertion.row.index, 1) }
    for object in builder.inserted + builder.updated {
      replaceReferences(of: object, request.permanentKeys)
      if isNested { store.rowCache.forget(object.plan.rootIndex, object.key) }
    }
    for object in builder.deleted { store.rowCache.forget(object.plan.rootIndex, object.key) }
    guard !isNested else { return }
    for object in builder.inserted + builder.written {
      if let row = object.currentRow { holdRow(row, for: object) }
    }
  }

  private func adopt(_ key: Int64, _ object: ManagedObject, _ storeIndex: Int32) {
    registry.unregister(object)
    object.key = key
    object.storeIndex = storeIndex
    registry.register(object)
  }

  private func replaceReferences(of object: ManagedObject, _ keys: PermanentKeys) {
    guard let row = object.currentRow, object.state.contains(.ownsRow) else { return }
    for slot in object.plan.toOneSlots {
      guard let reference = row.reference(slot), reference.key < 0 else { continue }
      let replaced = ObjectReferenceWord(entity: reference.entity, key: keys[reference.key])
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
    for object in saved { object.didSave() }
  }

  private func settle(_ object: ManagedObject) {
    object.state.remove([.inserted, .updated, .listed, .ownsRow])
    guard let extra = object.extra else { return }
    extra.committed = nil
    extra.touched = PropertySet()
    for case let relationship as ToManyRelationship in extra.relationships { relationship.markSaved() }
  }
}
