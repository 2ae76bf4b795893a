extension ManagedObjectContext {
  /// Objects inserted since the last save, in order of insertion.
  public var insertedObjects: [ManagedObject] { changedObjects.filter(\.isInserted) }

  /// Saved objects changed since the last save, in order of their first change; deleted ones are not among them.
  public var updatedObjects: [ManagedObject] { changedObjects.filter { $0.isUpdated && !$0.isDeleted } }

  /// Saved objects to be deleted by the next save, in order of deletion.
  public var deletedObjects: [ManagedObject] {
    deletionOrder.filter { $0.isDeleted && !$0.state.contains(.inserted) }
  }

  /// Whether anything is inserted, updated or deleted.
  public var hasChanges: Bool { changedObjects.contains(where: \.hasChanges) }

  /// The objects that the context knows at the moment.
  public var registeredObjects: Set<ManagedObject> { Set(registry.all()) }

  /// How many objects the context knows; fires and makes nothing.
  public var registeredCount: Int { registry.count }

  /// Discards everything since the last save (CTX-132): inserted objects leave the context, deletions are withdrawn,
  /// changed objects return to their committed values on both ends of every relationship. No store is asked.
  public func rollback() {
    let changed = changedObjects
    changedObjects = []
    pendingDeletions = []
    deletionOrder = []
    deferredErrors = []
    for object in changed { restore(object) }
    retireWorkingBlocks()
  }

  private func restore(_ object: ManagedObject) {
    if object.state.contains(.inserted) {
      object.leave(.detached)
      return
    }
    object.state.remove([.updated, .deleted, .propagated, .listed, .ownsRow])
    if object.state.contains(.inaccessible) {
      object.state.remove(.inaccessible)
      object.state.insert(.fault)
      object.block = nil
    } else if let committed = object.extra?.committed {
      object.attach(committed)
    }
    object.extra = nil
  }

  /// Forgets everything: unsaved changes and all objects, which are invalidated for good (CTX-138).
  public func reset() {
    changedObjects = []
    pendingDeletions = []
    deletionOrder = []
    deferredErrors = []
    for object in registry.all() { object.leave(.invalidated) }
    retireWorkingBlocks()
  }

  /// Makes an unchanged object a fault again, or drops its changes with its values.
  ///
  /// With `mergeChanges` the object keeps its unsaved changes on top of the present row.
  ///
  /// - Throws: `cannot-refresh-inserted` for an object that was never saved; what reading the row throws.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
    guard !object.state.contains(.inserted) else {
      throw GraphStoreError(
        .cannotRefreshInserted, "\(object.objectID.shortForm) was never saved and cannot be refreshed.",
        remedy: "Save it first.", entity: object.entity.name, objectID: object.objectID)
    }
    if object.hasChanges {
      if mergeChanges { return try mergeRow(into: object) }
      changedObjects.removeAll { $0 === object }
      pendingDeletions.removeAll { $0 === object }
      deletionOrder.removeAll { $0 === object }
      object.state.remove([.updated, .deleted, .propagated, .listed])
    }
    stores[Int(object.storeIndex)].rowCache.forget(object.plan.rootIndex, object.key)
    object.turnIntoFault()
  }

  private func mergeRow(into object: ManagedObject) throws {
    let store = stores[Int(object.storeIndex)]
    let current = try coordinator.locked { try store.row(object.plan, object.key) }
    guard let current, let own = object.currentRow, let extra = object.extra else { return }
    store.rowCache.put(object.plan.rootIndex, object.key, current, holders: 0)
    guard object.state.contains(.ownsRow) else {
      extra.committed = nil
      return object.attach(current)
    }
    let merged = workingBlock(for: object.plan)
    let index = merged.appendRow(copying: current)
    for property in object.plan.properties where property.slot >= 0 && extra.touched.contains(property.number)
    {
      merged.copyValue(of: property, from: own, to: index)
    }
    extra.committed = current
    object.attach(Row(block: merged, index: index))
  }
}
