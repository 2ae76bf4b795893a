/// Record of the event that is open: which objects have changed since pending changes were last processed.
///
/// Objects whose first unsaved change falls into the event are at the end of the context's list of changed
/// objects; those that were listed before, and have changed again, are noted here.
struct EventRecord {
  /// The position in the list of changed objects at which those of the event begin.
  var start = 0
  /// Objects that were changed before the event, and again in it, and those that its changes leave unchanged.
  var again: [ManagedObject] = []
  /// Objects that were inserted in an earlier event, and have left the context by deletion, as they were.
  var left: [ContextChanges.Change] = []
  /// Objects that have got new values by a refresh; those without another reference are delivered to no
  /// observer.
  private var refreshedObjects: [WeakObject] = []
  /// Refreshed objects that a consumer has to see although nothing else holds them.
  private var heldObjects: [ManagedObject] = []
  /// The row that each of those had before its first refresh; nil where it had none, or values of its own.
  private(set) var formerRows: [ObjectIdentifier: Row?] = [:]
  /// Objects that were invalidated.
  var invalidated: [ManagedObject] = []
  /// Objects whose insertion by others was merged, held until observers are notified (CTX-259).
  var mergedInsertions: [ManagedObject] = []
  /// Objects whose deletion by others was merged, as they were.
  var mergedDeletions: [ContextChanges.Change] = []
  /// Records that others have changed or deleted.
  var mergedRecords: [RecordGroup] = []
  /// The entity trees of records that others have deleted; their records are among the merged ones.
  var mergedDeletionTrees: Set<Int> = []
  /// The entity trees of records of which a save has changed derived values.
  var derivedTrees: Set<Int> = []
}

extension EventRecord {
  private struct WeakObject {
    weak var object: ManagedObject?
  }

  var refreshed: [ManagedObject] { refreshedObjects.compactMap(\.object) }
  var hasRefreshed: Bool { !refreshedObjects.isEmpty }

  mutating func noteRefresh(of object: ManagedObject, from former: Row?, isHeld: Bool) {
    refreshedObjects.append(WeakObject(object: object))
    guard isHeld, formerRows[ObjectIdentifier(object)] == nil else { return }
    formerRows[ObjectIdentifier(object)] = .some(former)
    heldObjects.append(object)
  }
}

extension ManagedObjectContext {
  /// Notes that an object has got other values without being changed, where somebody is told of it.
  ///
  /// - Parameter former: The row that it had, where that is the record's; nil where it is not known.
  func noteRefresh(of object: ManagedObject, from former: Row? = nil) {
    guard deliversChanges else { return }
    unsaved.event.noteRefresh(
      of: object, from: former, isHeld: delivery.observers.wantsMergedRecords)
  }

  /// Whether anything has changed since pending changes were last processed.
  var hasOpenEvent: Bool {
    unsaved.objects.count > unsaved.event.start || !unsaved.event.again.isEmpty || !unsaved.event.left.isEmpty
      || unsaved.event.hasRefreshed || !unsaved.event.invalidated.isEmpty
      || !unsaved.event.mergedInsertions.isEmpty || !unsaved.event.mergedDeletions.isEmpty
      || !unsaved.event.mergedRecords.isEmpty || !unsaved.event.derivedTrees.isEmpty
  }

  /// Ends the event: no object takes part in it any more. Changes are collected only if there is a consumer.
  func endEvent() -> ContextChanges {
    var changes = ContextChanges()
    guard consumesChanges else {
      unsaved.objects.forEachBorrowed(from: unsaved.event.start) { $0.leaveEvent() }
      for object in unsaved.event.again { object.leaveEvent() }
      resetEvent()
      return changes
    }
    changes.deleted = unsaved.event.left + unsaved.event.mergedDeletions
    changes.inserted = unsaved.event.mergedInsertions
    func end(_ object: ManagedObject) {
      guard object.state.contains(.inEvent) else { return }
      add(object, to: &changes)
      object.leaveEvent()
    }
    for index in unsaved.event.start..<unsaved.objects.count { end(unsaved.objects[index]) }
    for object in unsaved.event.again { end(object) }
    changes.refreshed = unsaved.event.refreshed.filter { $0.context === self }
    changes.formerRows = unsaved.event.formerRows
    changes.invalidated = unsaved.event.invalidated
    changes.mergedRecords = unsaved.event.mergedRecords
    changes.mergedDeletionTrees = unsaved.event.mergedDeletionTrees
    changes.derivedTrees = unsaved.event.derivedTrees
    resetEvent()
    return changes
  }

  /// Begins a new event behind all changes that are listed.
  func resetEvent() {
    unsaved.event = EventRecord()
    unsaved.event.start = unsaved.objects.count
  }

  private func add(_ object: ManagedObject, to changes: inout ContextChanges) {
    guard let before = object.eventSnapshot else { return changes.inserted.append(object) }
    let change = ContextChanges.Change(object, before: before)
    if object.state.isDeletion, !before.state.contains(.deleted) {
      changes.deleted.append(change)
    } else {
      changes.updated.append(change)
    }
  }

  /// Removes from the list of changed objects those that are not listed any more.
  func removeUnlisted() {
    unsaved.event.start = unsaved.objects[..<unsaved.event.start].count { $0.state.contains(.listed) }
    unsaved.objects.removeAll { !$0.state.contains(.listed) }
  }
}
