extension ManagedObjectContext {
  /// Discards everything since the last save: inserted objects leave the context, deletions are withdrawn,
  /// changed objects return to their committed values on both ends of every relationship. No store is asked.
  ///
  /// Recorded undo steps are discarded. Observers are notified of discarded insertions as deleted, withdrawn
  /// deletions as inserted and other objects as refreshed; the objects' classes by
  /// ``ManagedObject/awake(fromSnapshotEvents:)``. While the context saves or processes changes nothing
  /// happens, and the save or processing throws `context-busy`.
  public func rollback() {
    checkQueue()
    if refusesWhileBusy("rollback()") { return }
    undoManager?.clear()
    let changed = unsaved.objects
    forgetDeletions()
    saving.deferredErrors = []
    dropFetchedProperties()
    if changed.isEmpty, !hasOpenEvent { return }
    var changes = ContextChanges()
    changes.deleted = unsaved.event.left + unsaved.event.mergedDeletions
    changes.inserted = unsaved.event.mergedInsertions
    changes.refreshed = unsaved.event.refreshed
    for object in unsaved.event.again where object.state.isDisjoint(with: .changed) {
      keep(object, in: &changes)
    }
    unsaved.objects = []
    deletions.pending = []
    resetEvent()
    for object in changed { restore(object, &changes) }
    retireWorkingBlocks()
    countSetter()
    for object in changed where object.hasOwnClass && object.context === self {
      object.awake(fromSnapshotEvents: .rollback)
    }
    for object in changed where object.state.contains(.observed) {
      delivery.keyObservers?.reportAll(of: object)
    }
    deliver(changes)
  }

  /// A change that has left its object unchanged stays, and is delivered.
  private func keep(_ object: ManagedObject, in changes: inout ContextChanges) {
    guard let before = object.eventSnapshot else { return }
    changes.updated.append(ContextChanges.Change(object, before: before))
    object.leaveEvent()
  }

  /// Has every registered object release the results of its fetched properties (REL-347).
  private func dropFetchedProperties() {
    guard fetching.keepsFetchedProperties else { return }
    for object in registry.all() { object.extra?.fetched = [:] }
    fetching.keepsFetchedProperties = false
  }

  private func restore(_ object: ManagedObject, _ changes: inout ContextChanges) {
    // The state that observers were notified of: nothing yet of what the open event has changed.
    let delivered = object.state.contains(.inEvent) ? object.eventSnapshot : EventSnapshot(object)
    if object.state.contains(.inserted) {
      if let delivered { changes.deleted.append(ContextChanges.Change(object, before: delivered)) }
      object.leave(.detached)
      return
    }
    let wasGone = object.state.contains(.inaccessible)
    if object.layout.hasTransientLinks { object.leaveTransientLinks() }
    let unchanged = object.extra?.unchanged
    if delivered?.state.contains(.deleted) == true {
      changes.inserted.append(object)
    } else {
      changes.refreshed.append(object)
    }
    object.changeState(
      removing: ObjectState.listing.union([.updated, .deleted, .propagated, .inaccessible, .ownsRow]),
      adding: wasGone ? .fault : [])
    if wasGone {
      object.dropRow()
    } else if let committed = object.extra?.committed {
      object.attach(committed)
    }
    object.dropAttachment()
    if object.layout.hasTransientLinks { object.clearTransientReferences() }
    if let unchanged, !wasGone { object.restore(unchanged) }
  }

  /// Lets objects without unsaved changes read their values anew: those that they have may never have been
  /// committed.
  func forgetUnchangedValues() {
    countRefresh()
    for object in registry.all() where !object.hasChanges && isSaved(object) {
      if object.isFault { object.dropRow() } else { object.turnIntoFault() }
    }
  }

  /// Forgets everything: unsaved changes, what was recorded for undo, and all objects, which are invalidated
  /// for good.
  ///
  /// Observers are notified of the identifiers of all of them. While the context saves or processes changes
  /// nothing happens, and the save or processing throws `context-busy`.
  public func reset() {
    checkQueue()
    if !refusesWhileBusy("reset()") { discardEverything() }
  }

  /// Resets as ``reset()`` does, at any time: data that were read or saved may have been rolled back with
  /// their transaction.
  func discardEverything() {
    countRefresh()
    undoManager?.clear()
    forgetChanges()
    detachMergedDeletions()
    fetching.faultBatches = FaultBatches()
    fetching.heldRows = []
    for running in fetching.asynchronousFetches { running.fetch?.cancel() }
    fetching.asynchronousFetches = []
    fetching.keepsFetchedProperties = false
    movePin()
    let leaving = registry.leaving()
    var changes = ContextChanges()
    if deliversChanges { changes.invalidatedAll = leaving.map(\.objectID) }
    for object in leaving { object.invalidate() }
    // Changes by hooks are discarded too.
    forgetChanges()
    retireWorkingBlocks()
    if !leaving.isEmpty { deliver(changes) }
  }

  /// Forgets which objects are deleted, and which a save is to check: it has ended, or will not happen.
  func forgetDeletions() {
    deletions.order = []
    deletions.cascades = []
    deletions.removedObjects = [:]
    saving.writtenBack = []
    saving.lockedObjects = []
  }

  private func forgetChanges() {
    saving.replacements = [:]
    unsaved.objects = []
    deletions.pending = []
    forgetDeletions()
    saving.deferredErrors = []
    resetEvent()
  }
}
