import Foundation

/// Changes in a context since the previous message of this kind: the payload of objects-did-change.
///
/// It holds its objects, which belong to the context and its queue, until it is released.
///
/// ```swift
/// let token = context.observe(.objectsDidChange) { change in
///   for object in change.updated { print(object.objectID, object.changedKeys) }
/// }
/// ```
public struct ObjectsDidChange {
  /// The context.
  public let context: ManagedObjectContext
  /// Objects that were inserted, and those whose deletion was undone or rolled back.
  public let inserted: Set<ManagedObject>
  /// Objects that were changed in this context, the other ends of relationships among them.
  public let updated: Set<ManagedObject>
  /// Objects that were deleted, by cascade too, and those whose insertion was undone or rolled back.
  public let deleted: Set<ManagedObject>
  /// Objects that have got other values without being changed here.
  public let refreshed: Set<ManagedObject>
  /// Objects that were invalidated.
  public let invalidated: Set<ManagedObject>
  /// The identifiers of all objects, where all were invalidated at once by ``ManagedObjectContext/reset()``;
  /// else empty.
  public let invalidatedAll: Set<ManagedObjectID>

  init(_ context: ManagedObjectContext, _ changes: ContextChanges) {
    self.context = context
    inserted = Set(changes.inserted)
    updated = Set(changes.updated.lazy.map(\.object))
    deleted = Set(changes.deleted.lazy.map(\.object))
    refreshed = Set(changes.refreshed)
    invalidated = Set(changes.invalidated)
    invalidatedAll = Set(changes.invalidatedAll)
  }

  /// Reads the payload of a notification named ``ManagedObjectContext/didChangeObjectsNotification``; nil for
  /// another one.
  public init?(_ notification: Notification) {
    guard let context = notification.context(of: .didChangeObjects) else { return nil }
    self.context = context
    inserted = notification.contextGroup(.insertedObjects)
    updated = notification.contextGroup(.updatedObjects)
    deleted = notification.contextGroup(.deletedObjects)
    refreshed = notification.contextGroup(.refreshedObjects)
    invalidated = notification.contextGroup(.invalidatedObjects)
    invalidatedAll = notification.contextGroup(.invalidatedAllObjects)
  }

  var userInfo: [AnyHashable: Any] {
    Notification.userInfo(of: [
      .insertedObjects: inserted, .updatedObjects: updated, .deletedObjects: deleted,
      .refreshedObjects: refreshed, .invalidatedObjects: invalidated,
    ]).merging(Notification.userInfo(of: [.invalidatedAllObjects: invalidatedAll])) { objects, _ in objects }
  }
}

/// A context is about to save: the payload of will-save, which carries nothing else.
///
/// ```swift
/// let token = context.observe(.willSave) { message in
///   for object in message.context.insertedObjects { print("about to be saved:", object) }
/// }
/// ```
public struct ContextWillSave {
  /// The context.
  public let context: ManagedObjectContext

  init(_ context: ManagedObjectContext) { self.context = context }

  /// Reads the payload of a notification named ``ManagedObjectContext/willSaveObjectsNotification``; nil for
  /// another one.
  public init?(_ notification: Notification) {
    guard let context = notification.context(of: .willSaveObjects) else { return nil }
    self.context = context
  }
}

/// Objects that a save has written: the payload of did-save. Each object is in one group.
///
/// Inserted objects have their permanent identifiers, deleted ones those that they had. It holds its objects,
/// which belong to the context and its queue.
///
/// ```swift
/// let token = context.observe(.didSave) { saved in
///   print(saved.inserted.count, "inserted,", saved.deleted.count, "deleted by", saved.context)
/// }
/// ```
public struct ContextDidSave {
  /// The context.
  public let context: ManagedObjectContext
  /// The objects whose records are new.
  public let inserted: Set<ManagedObject>
  /// The objects whose records, or links, have changed.
  public let updated: Set<ManagedObject>
  /// The objects whose records are gone.
  public let deleted: Set<ManagedObject>
  /// The query generation to which the save has moved the pin of the context; nil where that is not pinned.
  public let queryGeneration: QueryGenerationToken?
  /// The place of the save in the histories of the stores; nil where none keeps one.
  public let historyToken: PersistentHistoryToken?
  /// Other records of which the save has changed derived values, for merges.
  let derived: Set<ManagedObjectID>

  init(_ context: ManagedObjectContext, _ saved: SavedObjects) {
    self.context = context
    queryGeneration = context.generationToken
    historyToken = saved.historyToken
    derived = saved.derived
    inserted = Set(saved.inserted)
    updated = Set(saved.updated)
    deleted = Set(saved.deleted)
  }

  /// Reads the payload of a notification named ``ManagedObjectContext/didSaveObjectsNotification``; nil for
  /// another one.
  public init?(_ notification: Notification) {
    guard let context = notification.context(of: .didSaveObjects) else { return nil }
    self.context = context
    inserted = notification.contextGroup(.insertedObjects)
    updated = notification.contextGroup(.updatedObjects)
    deleted = notification.contextGroup(.deletedObjects)
    queryGeneration = notification.queryGeneration
    historyToken = notification.historyToken
    derived = notification.derivedObjectIDs
  }

  var userInfo: [AnyHashable: Any] {
    Notification.userInfo(of: [
      .insertedObjects: inserted, .updatedObjects: updated, .deletedObjects: deleted,
    ]).with(queryGeneration, historyToken, derived: derived)
  }
}

/// The identifiers of records that a save has written: the payload of did-save-identifiers, which may be
/// passed to any queue.
///
/// Another context may merge them:
///
/// ```swift
/// let other = ManagedObjectContext(coordinator: coordinator)
/// let token = context.observe(.didSaveObjectIDs) { saved in
///   other.enqueue { try? other.mergeChanges(fromContextDidSave: saved) }
/// }
/// ```
public struct ContextDidSaveObjectIDs: Sendable {
  /// The context.
  public let context: ManagedObjectContext
  /// The identifiers of new records.
  public let inserted: Set<ManagedObjectID>
  /// The identifiers of changed records.
  public let updated: Set<ManagedObjectID>
  /// The identifiers of records that are gone.
  public let deleted: Set<ManagedObjectID>
  /// The query generation to which the save has moved the pin of the context; nil where that is not pinned.
  public let queryGeneration: QueryGenerationToken?
  /// The place of the save in the histories of the stores; nil where none keeps one.
  public let historyToken: PersistentHistoryToken?
  /// Other records of which the save has changed derived values, for merges.
  let derived: Set<ManagedObjectID>

  init(_ context: ManagedObjectContext, _ saved: SavedObjects) {
    self.context = context
    queryGeneration = context.generationToken
    historyToken = saved.historyToken
    derived = saved.derived
    inserted = Set(saved.inserted.lazy.map(\.objectID))
    updated = Set(saved.updated.lazy.map(\.objectID))
    deleted = Set(saved.deleted.lazy.map(\.objectID))
  }

  /// Reads the payload of a notification named ``ManagedObjectContext/didSaveObjectIDsNotification``; nil for
  /// another one.
  public init?(_ notification: Notification) {
    guard let context = notification.context(of: .didSaveObjectIDs) else { return nil }
    self.context = context
    inserted = notification.contextGroup(.insertedObjectIDs)
    updated = notification.contextGroup(.updatedObjectIDs)
    deleted = notification.contextGroup(.deletedObjectIDs)
    queryGeneration = notification.queryGeneration
    historyToken = notification.historyToken
    derived = notification.derivedObjectIDs
  }

  var userInfo: [AnyHashable: Any] {
    Notification.userInfo(of: [
      .insertedObjectIDs: inserted, .updatedObjectIDs: updated, .deletedObjectIDs: deleted,
    ]).with(queryGeneration, historyToken, derived: derived)
  }
}

/// The identifiers of objects of a context that a merge has changed: the payload of did-merge.
///
/// What did not concern the context is in none of the groups.
///
/// ```swift
/// let token = context.observe(.didMerge) { merged in
///   print(merged.refreshed.count, "refreshed,", merged.deleted.count, "deleted elsewhere")
/// }
/// ```
public struct ContextDidMerge: Sendable {
  /// The context that others' changes were merged into.
  public let context: ManagedObjectContext
  /// Records that others have inserted.
  public internal(set) var inserted: Set<ManagedObjectID> = []
  /// Objects that have unsaved changes now because they led to deleted ones.
  public internal(set) var updated: Set<ManagedObjectID> = []
  /// Objects whose records others have deleted.
  public internal(set) var deleted: Set<ManagedObjectID> = []
  /// Objects whose records others have changed.
  public internal(set) var refreshed: Set<ManagedObjectID> = []

  init(_ context: ManagedObjectContext) { self.context = context }

  /// Reads the payload of a notification named ``ManagedObjectContext/didMergeChangesObjectIDsNotification``;
  /// nil for another one.
  public init?(_ notification: Notification) {
    guard let context = notification.context(of: .didMergeObjectIDs) else { return nil }
    self.context = context
    inserted = notification.contextGroup(.insertedObjectIDs)
    updated = notification.contextGroup(.updatedObjectIDs)
    deleted = notification.contextGroup(.deletedObjectIDs)
    refreshed = notification.contextGroup(.refreshedObjectIDs)
  }

  var userInfo: [AnyHashable: Any] {
    Notification.userInfo(of: [
      .insertedObjectIDs: inserted, .updatedObjectIDs: updated, .deletedObjectIDs: deleted,
      .refreshedObjectIDs: refreshed,
    ])
  }

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty }
}

/// The objects that a save has written.
struct SavedObjects {
  let inserted: [ManagedObject]
  let updated: [ManagedObject]
  let deleted: [ManagedObject]
  /// Other records of which the save has changed derived values, by identifiers of their root entities.
  let derived: Set<ManagedObjectID>
  /// The place of the save in the histories of the stores; nil where none keeps one.
  let historyToken: PersistentHistoryToken?

  /// Delivers a record that a merge policy has written again as what it is to other contexts: one that has
  /// changed (CTX-212).
  init(_ changes: PendingSave, _ saves: [StoreSave], writtenBack: Set<ManagedObject>) {
    deleted = changes.deleted
    historyToken = PersistentHistoryToken(saves)
    derived = Self.derived(saves).subtracting(
      (changes.inserted + changes.updated + changes.deleted).lazy.map(\.objectID))
    guard !writtenBack.isEmpty else {
      (inserted, updated) = (changes.inserted, changes.updated)
      return
    }
    inserted = changes.inserted.filter { !writtenBack.contains($0) }
    updated = changes.updated + changes.inserted.filter(writtenBack.contains)
  }

  private static func derived(_ saves: [StoreSave]) -> Set<ManagedObjectID> {
    var ids: Set<ManagedObjectID> = []
    for save in saves {
      for value in save.record?.changedDerivations ?? [] {
        ids.insert(ManagedObjectID(scope: save.mount.scope, entityIndex: value.root, key: value.key))
      }
    }
    return ids
  }
}

extension PersistentHistoryToken {
  /// The place after saves, in the histories of their stores; nil where none has recorded any.
  fileprivate init?(_ saves: [StoreSave]) {
    var places: [String: Place] = [:]
    for save in saves {
      guard let transaction = save.record?.historyTransaction else { continue }
      places[save.mount.scope.uuid] = Place(number: transaction.number, time: transaction.time)
    }
    if places.isEmpty { return nil }
    self.init(places)
  }
}
