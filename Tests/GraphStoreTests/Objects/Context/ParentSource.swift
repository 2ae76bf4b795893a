import GraphStoreModel

@testable import GraphStore

/// A context as the source of others: a spike which shows that nested contexts fit behind ``ObjectSource``.
///
/// Of new objects it knows the temporary keys, also once they have been saved; what its session says of a
/// saved one has the permanent key.
final class ParentSource: ObjectSource, @unchecked Sendable {
  let parent: ManagedObjectContext
  /// The objects that were new when a child got to know them, by their temporary keys.
  private var known: [Int64: ManagedObject] = [:]

  init(_ parent: ManagedObjectContext) { self.parent = parent }

  var root: PersistentStoreCoordinator { parent.coordinator }
  var sharesRowCache: Bool { false }
  var writesStores: Bool { false }
  var knowsTemporaryKeys: Bool { true }
  var commitNumber: Int { root.commitNumber }

  /// Does some work of a child on the parent's queue.
  func onQueue<Result>(_ body: () throws -> Result) throws -> Result {
    var result: Result?
    try parent.performAndWait { result = try body() }
    guard let result else {
      throw GraphStoreError(.internalInconsistency, "A block has not run.", remedy: "")
    }
    return result
  }

  // MARK: Reading

  func makeSession(on mount: Mount, _ use: ReadUse) -> any ReadSession { ParentSession(self, mount.index) }

  func beginReading(on mount: Mount, _ use: ReadUse) throws -> any ReadSession {
    ParentSession(self, mount.index)
  }

  func storeIndex(ofTemporary key: Int64, _ layout: EntityLayout) -> Int32? {
    try? onQueue { () -> Int32? in
      guard let object = object(layout, key) else { return nil }
      if object.state.contains(.inserted) { placeNewObjects() }
      return object.storeIndex
    }
  }

  /// The parent's object with a temporary key, be it new there or further up.
  func object(_ layout: EntityLayout, _ key: Int64) -> ManagedObject? {
    if let found = parent.registry.object(layout, key: key, store: 0) ?? fault(layout, key) {
      known[key] = found
    }
    return known[key].flatMap { $0.state.isDisjoint(with: [.detached, .invalidated]) ? $0 : nil }
  }

  private func fault(_ layout: EntityLayout, _ key: Int64) -> ManagedObject? {
    parent.source.storeIndex(ofTemporary: key, layout).map { parent.fault(layout, key: key, storeIndex: $0) }
  }

  /// Counts the new objects to the stores that they would be saved to, together with what they are related
  /// to.
  private func placeNewObjects() {
    _ = StorePlacement(
      of: parent.insertedObjects, updated: parent.updatedObjects, root, parent.mounts)
  }

  // MARK: Saving

  func reserveKeys(
    for objects: [ManagedObject], on mount: Mount, of context: ManagedObjectContext
  ) throws -> PermanentKeyMap {
    try root.reserveKeys(for: objects, on: mount, of: context)
  }

  func save(_ changes: PendingSave, of context: ManagedObjectContext) throws -> SaveOutcome {
    try onQueue {
      let transfer = ChangeTransfer(self)
      try transfer.apply(changes)
      try parent.processPendingChanges()
    }
    return .saved([])
  }
}
