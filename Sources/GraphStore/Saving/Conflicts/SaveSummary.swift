/// Numbers of objects that a save has written, and of those whose changes a merge policy has dropped.
package struct SaveSummary: Equatable, Sendable {
  /// Numbers of objects by what was to become of them.
  package struct Counts: Equatable, Sendable {
    package var inserted = 0
    package var updated = 0
    package var deleted = 0

    package init(inserted: Int = 0, updated: Int = 0, deleted: Int = 0) {
      (self.inserted, self.updated, self.deleted) = (inserted, updated, deleted)
    }
  }

  /// Objects whose changes are saved, in whole or in part.
  package var saved = Counts()
  /// Objects none of whose changes are saved: what the store has holds.
  package var dropped = Counts()
  /// The updated objects among them.
  package var droppedUpdates: Set<ManagedObjectID> = []
  /// Updated objects of whose changes some are saved and others dropped.
  package var partlyDropped = 0

  package init() {}

  package init(saved: Counts) { self.saved = saved }

  /// - Parameter intended: The changes to be saved before a merge policy resolved conflicts; nil where there
  ///   were none.
  init(_ saved: SavedObjects, intended: IntendedChanges?) {
    self.saved = Counts(
      inserted: saved.inserted.count, updated: saved.updated.count, deleted: saved.deleted.count)
    guard let intended else { return }
    let (inserted, updated, deleted) = (Set(saved.inserted), Set(saved.updated), Set(saved.deleted))
    dropped.inserted = intended.inserted.count { !inserted.contains($0) }
    dropped.deleted = intended.deleted.count { !deleted.contains($0) }
    for (object, properties) in intended.updated where !deleted.contains(object) {
      let kept = updated.contains(object) ? object.changedPropertyNumbers : PropertySet()
      if kept.isEmpty {
        droppedUpdates.insert(object.objectID)
        if updated.contains(object) { self.saved.updated -= 1 }
      } else if !properties.subtracting(kept).isEmpty {
        partlyDropped += 1
      }
    }
    dropped.updated = droppedUpdates.count
  }
}

/// Changes that a save was to write when it met its first conflict.
struct IntendedChanges {
  let inserted: [ManagedObject]
  /// The objects with changed values, and the properties that these belong to.
  let updated: [(object: ManagedObject, properties: PropertySet)]
  let deleted: [ManagedObject]

  init(_ changes: PendingSave) {
    inserted = changes.inserted
    updated = changes.updated.map { ($0, $0.changedPropertyNumbers) }.filter { !$0.1.isEmpty }
    deleted = changes.deleted
  }
}

extension ManagedObject {
  /// The persistent properties that differ from the committed state, by number.
  fileprivate final var changedPropertyNumbers: PropertySet {
    var numbers = PropertySet()
    for property in changedProperties { numbers.insert(property.number) }
    return numbers
  }
}
