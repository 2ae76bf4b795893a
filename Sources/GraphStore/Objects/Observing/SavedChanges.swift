import Foundation
import Synchronization

/// Changes of a save, in the form that may be passed to any queue or task.
///
/// It holds the saved objects, so that their rows stay cached, but shows their identifiers only.
///
/// ```swift
/// let watch = Task {
///   for await saved in context.events { print(saved.inserted.count, "inserted") }
/// }
/// try context.save()
/// watch.cancel()
/// ```
public struct SavedChanges: Sendable {
  /// The identifiers of new records.
  public let inserted: Set<ManagedObjectID>
  /// The identifiers of changed records.
  public let updated: Set<ManagedObjectID>
  /// The identifiers of records that are gone.
  public let deleted: Set<ManagedObjectID>
  /// The identifiers of the stores that were open in the context's coordinator.
  public let storeIdentifiers: Set<String>
  /// Other records of which the save has changed derived values, by identifiers of their root entities; a
  /// history lists such records as changed.
  let derived: Set<ManagedObjectID>
  /// Tells the context that has saved from others, also when it is gone; nil for changes from a history.
  let origin: ContextQueue?
  /// Tells its coordinator from others; for changes from a history, which any process may have made, it is
  /// none's.
  let coordinatorScope: StoreIdentity
  private let hold: ObjectHold

  /// Takes the changes from a did-save message, on the context's queue.
  public init(_ payload: ContextDidSave) {
    inserted = Set(payload.inserted.lazy.map(\.objectID))
    updated = Set(payload.updated.lazy.map(\.objectID))
    deleted = Set(payload.deleted.lazy.map(\.objectID))
    derived = payload.derived
    storeIdentifiers = Set(payload.context.coordinator.mounts.map(\.scope.uuid))
    origin = payload.context.queue
    coordinatorScope = payload.context.coordinator.temporaryScope
    hold = ObjectHold(Array(payload.inserted) + Array(payload.updated))
  }

  init(_ context: ManagedObjectContext, _ saved: SavedObjects) {
    inserted = Set(saved.inserted.lazy.map(\.objectID))
    updated = Set(saved.updated.lazy.map(\.objectID))
    deleted = Set(saved.deleted.lazy.map(\.objectID))
    derived = saved.derived
    storeIdentifiers = Set(context.mounts.map(\.scope.uuid))
    origin = context.queue
    coordinatorScope = context.coordinator.temporaryScope
    hold = ObjectHold(saved.inserted + saved.updated)
  }

  /// Changes that were written to a store without objects, so that no row cache has the rows.
  init(inserted: Set<ManagedObjectID>, updated: Set<ManagedObjectID>, in scope: StoreIdentity) {
    (self.inserted, self.updated, deleted) = (inserted, updated, [])
    (derived, storeIdentifiers) = ([], [scope.uuid])
    origin = nil
    coordinatorScope = scope
    hold = ObjectHold([])
  }

  /// The changes of transactions of one history, one after another: each record is listed by what has become
  /// of it.
  init(
    _ transactions: some Sequence<PersistentHistoryTransaction>, in scope: StoreIdentity,
    where isConcerned: (PersistentHistoryChange) -> Bool = { _ in true }
  ) {
    var inserted: Set<ManagedObjectID> = []
    var updated: Set<ManagedObjectID> = []
    var deleted: Set<ManagedObjectID> = []
    // A record may be deleted, and inserted again under its key: whether it is new depends on its first
    // change.
    var new: Set<ManagedObjectID> = []
    for change in transactions.lazy.flatMap({ $0.changes ?? [] }) where isConcerned(change) {
      let id = change.changedObjectID
      switch change.changeType {
      case .insert:
        if deleted.remove(id) == nil { new.insert(id) }
        if new.contains(id) { inserted.insert(id) } else { updated.insert(id) }
      case .update: if !inserted.contains(id) { updated.insert(id) }
      case .delete:
        inserted.remove(id)
        updated.remove(id)
        deleted.insert(id)
      }
    }
    (self.inserted, self.updated, self.deleted) = (inserted, updated, deleted)
    (derived, storeIdentifiers) = ([], [scope.uuid])
    origin = nil
    coordinatorScope = scope
    hold = ObjectHold([])
  }

  /// Keeps objects alive without giving access to them; they may be released on any thread.
  private final class ObjectHold: @unchecked Sendable {
    private let objects: [ManagedObject]

    init(_ objects: [ManagedObject]) { self.objects = objects }
  }
}

/// The sequences of saves that a context feeds.
final class SavedChangesStreams: Sendable {
  private typealias Continuation = AsyncStream<SavedChanges>.Continuation
  private let continuations = Mutex<[UUID: Continuation]>([:])

  var isEmpty: Bool { continuations.withLock(\.isEmpty) }

  func make() -> AsyncStream<SavedChanges> {
    AsyncStream { continuation in
      let id = UUID()
      continuations.withLock { $0[id] = continuation }
      continuation.onTermination = { [weak self] _ in
        _ = self?.continuations.withLock { $0.removeValue(forKey: id) }
      }
    }
  }

  func yield(_ changes: SavedChanges) {
    for continuation in continuations.withLock({ Array($0.values) }) { continuation.yield(changes) }
  }

  deinit {
    for continuation in continuations.withLock({ Array($0.values) }) { continuation.finish() }
  }
}

/// The changes of saves within a transaction are posted when that is committed, and not at all where it is
/// rolled back (CTX-077).
extension ManagedObjectContext {
  /// Changes of a save within a transaction, and the save's number among those of the transaction.
  struct UndeliveredSave {
    let number: Int
    let objects: SavedObjects
  }

  /// Posts what a save has written, now or when the transaction is committed whose part it is.
  func notifyOnceCommitted(_ saved: SavedObjects) {
    guard let transaction else {
      deliver(saved)
      return relay(saved)
    }
    let isRelayed = source.saveRelay.hasListeners(besides: self)
    guard deliversSaves || isRelayed else { return }
    let number = transaction.numberSave()
    if deliversSaves {
      delivery.undeliveredSaves.append(UndeliveredSave(number: number, objects: saved))
    }
    if isRelayed { transaction.keepForRelay(SavedChanges(self, saved), number: number) }
  }

  /// Posts the saves of a transaction that has been committed.
  func deliverPendingSaves() {
    let saves = delivery.undeliveredSaves
    delivery.undeliveredSaves = []
    for save in saves { deliver(save.objects) }
  }

  /// Forgets the saves after one of a number, which were taken back.
  func discardUndeliveredSaves(after number: Int = 0) {
    delivery.undeliveredSaves.removeAll { $0.number > number }
  }
}
