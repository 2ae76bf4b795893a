import GraphStoreModel

extension ManagedObjectContext {
  /// Assigns permanent identifiers to new objects, ahead of the save.
  ///
  /// They stay inserted, and are saved by the next save; each is from now on assigned to the store that the
  /// save would have chosen. Objects that have a permanent identifier are left out. Keys of objects that are
  /// never saved are not used again. It costs one transaction a store, of which a coordinator's transaction
  /// that the context takes part in is one; if that is rolled back, the context is reset.
  ///
  /// - Throws: `no-store`, `read-only-store`, `no-store-for-object`, `store-timeout`; `context-mismatch`,
  ///   `object-detached` and `object-invalidated` for an object that is not the context's. No object has got
  ///   an identifier of the store that failed then.
  public func obtainPermanentIDs(for objects: [ManagedObject]) throws {
    checkQueue()
    for object in objects {
      try checkOwnership(of: object, before: "given an identifier")
      try object.checkUsable()
    }
    if parent != nil { try readingFromSource {} }
    // What a child has saved is still to be saved by its parent.
    let new = ObjectSet(objects.filter { $0.key < 0 && ($0.isInserted || isSaved($0)) }).elements
    if new.isEmpty { return }
    try processPendingChanges()
    try place(new)
    for mount in mounts {
      let own = new.filter { $0.storeIndex == mount.index }
      if !own.isEmpty { try obtainPermanentIDs(for: own, in: mount) }
    }
  }

  /// Sets the stores of new objects, as a save would.
  private func place(_ new: [ManagedObject]) throws {
    let mounts = mounts
    _ = try coordinator.writableStore(among: mounts)
    let placement = StorePlacement(
      of: unsaved.objects.filter(\.isInserted), updated: updatedObjects, coordinator, mounts)
    for object in new where !object.isInserted { _ = findPlace(of: object) }
    for object in new {
      if let failure = placement.failures[ObjectIdentifier(object)] { throw failure }
    }
  }

  private func obtainPermanentIDs(for objects: [ManagedObject], in mount: Mount) throws {
    let keys = try source.reserveKeys(for: objects, on: mount, of: self)
    if parent == nil { family.record(keys, storeIndex: mount.index) }
    adopt(keys, of: objects, storeIndex: mount.index)
  }
}
