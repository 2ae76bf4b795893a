import GraphStoreModel

/// The source of child contexts.
///
/// It answers on the queue of the context, which a child has to itself while it reads or saves.
extension ManagedObjectContext: ObjectSource {
  var root: PersistentStoreCoordinator { coordinator }
  var context: ManagedObjectContext? { self }
  var writesStores: Bool { false }
  var knowsTemporaryKeys: Bool { true }

  /// Rises with whatever may have changed the values of the context's objects too.
  var commitNumber: Int { setterCount &+ refreshes.load(ordering: .relaxed) &+ source.commitNumber }

  func occupied<Result>(_ body: () throws -> Result) throws -> Result {
    try queue.sync {
      guard fetching.isPinned, transaction == nil else { return try source.occupied(body) }
      return try readingGeneration { _ in try body() }
    }
  }

  func makeSession(on mount: Mount, _ use: ReadUse) -> any ReadSession {
    ParentSession(of: self, on: mount, use)
  }

  func beginReading(on mount: Mount, _ use: ReadUse) throws -> any ReadSession {
    let session = makeSession(on: mount, use)
    try session.begin()
    return session
  }

  func unsavedRecord(_ layout: EntityLayout, key: Int64, storeIndex: Int32) throws -> UnsavedRecord {
    if parent != nil, family.hasAssignments(for: ObjectIdentifier(self)) { try occupied(synchronizeChain) }
    guard registry.contains(layout, key: key, store: storeIndex) else {
      return try source.unsavedRecord(layout, key: key, storeIndex: storeIndex)
    }
    return try queue.sync {
      try ownRecord(layout, key: key, storeIndex: storeIndex)
        ?? source.unsavedRecord(layout, key: key, storeIndex: storeIndex)
    }
  }

  /// What the context itself has of a record, apart from what its source has; nil where it has nothing.
  private func ownRecord(_ layout: EntityLayout, key: Int64, storeIndex: Int32) throws -> UnsavedRecord? {
    guard let object = registry.object(layout, key: key, store: storeIndex) else { return nil }
    guard object.isPresent else { return .gone }
    guard !object.state.contains(.fault), let row = object.currentRow else { return nil }
    if fetching.sharesRowCache, object.hasCachedRow(row, in: registry.caches[Int(storeIndex)], rowView) {
      // Others get it from the row cache, unless the contexts above have changed it since it was read here.
      if parent == nil { return nil }
      if case .none = try source.unsavedRecord(layout, key: key, storeIndex: storeIndex) { return nil }
    }
    return .row(PrivateRows.copy(of: row))
  }

  func storeIndex(ofTemporary key: Int64, _ layout: EntityLayout) -> Int32? {
    try? queue.sync { () throws -> Int32? in
      guard let object = registry.object(layout, key: key, store: 0) else {
        return source.storeIndex(ofTemporary: key, layout)
      }
      guard object.isPresent else { return nil }
      if object.state.contains(.inserted) { placeNewObjects() }
      return object.storeIndex
    }
  }

  /// Assigns new objects to the stores that they would be saved to, together with what they are related to.
  private func placeNewObjects() {
    _ = StorePlacement(of: insertedObjects, updated: updatedObjects, coordinator, mounts)
  }

  func reserveKeys(
    for objects: [ManagedObject], on mount: Mount, of context: ManagedObjectContext
  ) throws -> PermanentKeyMap {
    try queue.sync {
      let keys = try source.reserveKeys(for: objects, on: mount, of: self)
      if parent == nil {
        family.record(keys, storeIndex: mount.index)
        adopt(keys, of: objects, storeIndex: mount.index)
      } else {
        adoptSavedIdentifiers()
      }
      return keys
    }
  }

  /// Makes the changes of a child unsaved changes of the context, and notifies its observers of them.
  ///
  /// - Throws: What reading the objects throws that the child has changed; `object-not-found` where one of
  ///   them is not there any more; `context-busy` while the context processes changes. Nothing has changed
  ///   then.
  func save(_ changes: PendingSave, of child: ManagedObjectContext) throws -> SaveOutcome {
    guard !changes.isEmpty else { return .saved([]) }
    try queue.sync {
      let isDelivering = delivery.changes != nil
      if unsaved.isProcessing, !isDelivering { try checkIdle(before: "The save of a child") }
      try child.readingFromSource {}
      let before = commitNumber
      var transfer = ChangeTransfer(of: changes, from: child, to: self)
      try transfer.prepare()
      child.saving.relayPlace = saveRelay.reservePlace(for: child)
      transfer.carryOut()
      // The child's save has succeeded, whatever an observer of its parent does.
      do { try processPendingChanges() } catch { keepDeferred(error) }
      if child.fetching.knownCommitNumber == before { child.fetching.knownCommitNumber = commitNumber }
    }
    return .saved([])
  }
}

extension ManagedObject {
  /// Whether a row of the object is what the row cache has of the record, so that others can take it from
  /// there.
  fileprivate final func hasCachedRow(_ row: Row, in cache: RowCache, _ view: RowCache.View) -> Bool {
    guard key > 0, !state.contains(.ownsRow), !row.block.isPrivate,
      let cached = cache.row(layout.rootIndex, key, in: view)
    else { return false }
    return cached.version == row.version && cached.layout === row.layout
  }
}
