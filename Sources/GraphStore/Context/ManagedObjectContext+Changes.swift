extension ManagedObjectContext {
  /// Objects inserted since the last save, in order of insertion.
  public var insertedObjects: [ManagedObject] {
    checkQueue()
    return changedObjects.filter(\.isInserted)
  }

  /// Saved objects changed since the last save, in order of their first change; deleted ones are not among them.
  public var updatedObjects: [ManagedObject] {
    checkQueue()
    return changedObjects.filter { $0.isUpdated && !$0.isDeleted }
  }

  /// Saved objects to be deleted by the next save, in order of deletion.
  public var deletedObjects: [ManagedObject] {
    checkQueue()
    return deletionOrder.filter(\.isToBeDeleted)
  }

  /// Whether anything is inserted, updated or deleted.
  public var hasChanges: Bool {
    checkQueue()
    return changedObjects.contains(where: \.hasChanges)
  }

  /// The objects that the context knows at the moment.
  public var registeredObjects: Set<ManagedObject> {
    checkQueue()
    return Set(registry.all())
  }

  /// How many objects the context knows; fires and makes nothing.
  public var registeredCount: Int {
    checkQueue()
    return registry.count
  }

  /// Discards everything since the last save (CTX-132): inserted objects leave the context, deletions are withdrawn,
  /// changed objects return to their committed values on both ends of every relationship. No store is asked.
  public func rollback() {
    checkQueue()
    observers.contextDidChangeWholesale()
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
    let wasGone = object.state.contains(.inaccessible)
    object.changeState(
      removing: [.updated, .deleted, .propagated, .inaccessible, .listed, .ownsRow],
      adding: wasGone ? .fault : [])
    if wasGone {
      object.dropRow()
    } else if let committed = object.extra?.committed {
      object.attach(committed)
    }
    object.dropAttachment()
  }

  /// Lets objects without unsaved changes read their values anew: those that they have may never have been committed.
  func forgetUnchangedValues() {
    for object in registry.all() where !object.hasChanges && isSaved(object) {
      if object.isFault { object.dropRow() } else { object.turnIntoFault() }
    }
  }

  /// Forgets everything: unsaved changes and all objects, which are invalidated for good (CTX-138).
  public func reset() {
    checkQueue()
    observers.contextDidChangeWholesale()
    changedObjects = []
    pendingDeletions = []
    deletionOrder = []
    deferredErrors = []
    for object in registry.leaving() { object.invalidate() }
    // Whatever hooks have changed goes too.
    changedObjects = []
    retireWorkingBlocks()
  }
}
