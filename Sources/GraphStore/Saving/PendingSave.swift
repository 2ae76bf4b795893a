import Foundation

/// The unsaved changes of a context.
struct PendingSave {
  private(set) var inserted: [ManagedObject] = []
  private(set) var updated: [ManagedObject] = []
  private(set) var deleted: [ManagedObject] = []
  /// Unchanged objects that are to be what they were when they were read.
  private(set) var locked: [ManagedObject] = []
  /// The time of the save.
  let date = Date()

  /// No changes.
  init() {}

  /// Sorts the changes of a context, which has nothing left to process.
  init(_ context: ManagedObjectContext) {
    inserted = context.insertedObjects
    updated = context.updatedObjects
    deleted = context.deletedObjects
    locked = context.lockedObjects.filter {
      !$0.isFault && !$0.isInserted && !$0.isDeleted && $0.context === context
    }
  }

  /// The changes to objects of one of several stores.
  func changes(in mount: Mount) -> PendingSave {
    func own(_ objects: [ManagedObject]) -> [ManagedObject] {
      objects.filter { $0.storeIndex == mount.index }
    }
    var part = self
    (part.inserted, part.updated) = (own(inserted), own(updated))
    (part.deleted, part.locked) = (own(deleted), own(locked))
    return part
  }

  /// Does something with each changed object in the order in which a save visits them (OBJ-079).
  func forEachObject(_ body: (ManagedObject) -> Void) {
    inserted.forEachBorrowed(body)
    updated.forEachBorrowed(body)
    deleted.forEachBorrowed(body)
  }

  /// Whether anything is to be written.
  var isPersistent: Bool {
    !inserted.isEmpty || deleted.contains { !$0.state.contains(.inaccessible) }
      || updated.contains(where: \.hasValuesToSave)
  }

  /// Whether records have to be what they were, though they are not written.
  var isLookedAt: Bool { !locked.isEmpty || updated.contains(where: \.isSetInRow) }
}
