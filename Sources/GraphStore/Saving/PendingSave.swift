import Foundation
import GraphStoreModel

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
    locked = context.saving.lockedObjects.filter {
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

  /// Whether nothing has changed.
  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  /// Whether anything is to be written.
  var isPersistent: Bool {
    !inserted.isEmpty || deleted.contains { !$0.state.contains(.inaccessible) }
      || updated.contains(where: \.hasValuesToSave)
  }

  /// Whether records have to be what they were, though they are not written.
  var isLookedAt: Bool { !locked.isEmpty || updated.contains(where: \.isSetInRow) }
}

extension ManagedObject {
  /// Hands over the links that a save would store because the object was inserted or changed.
  final func forEachChangedLink(_ body: (RelationshipLayout, ManagedObject) -> Void) {
    guard case .nothing = attachment else { return forEachTouchedLink(body) }
  }

  private final func forEachTouchedLink(_ body: (RelationshipLayout, ManagedObject) -> Void) {
    for relationship in layout.relationships where relationship.isPersistent {
      switch relationshipIfTouched(relationship.ordinal) {
      case let members as ToManyRelationship:
        for member in members.added.elements where member.isPresent { body(relationship, member) }
      case let destination as ManagedObject:
        guard destination.isPresent, hasChanged(relationship) else { continue }
        body(relationship, destination)
      default: break
      }
    }
  }

  private final func hasChanged(_ relationship: RelationshipLayout) -> Bool {
    state.contains(.inserted) || extra?.written.contains(relationship.number) == true
  }
}

extension SaveRequest.Locked {
  /// The committed rows of objects, by entity tree; those of which none is known are left out.
  static func grouping(_ objects: some Sequence<ManagedObject>, _ layouts: [EntityLayout]) -> [Self] {
    Dictionary(grouping: objects, by: \.layout.rootIndex).sorted { $0.key < $1.key }.map { root, objects in
      Self(
        root: layouts[root],
        rows: objects.compactMap { object in
          object.committedRow.map { SaveRequest.FetchedRow(key: object.key, row: $0) }
        })
    }
  }
}
