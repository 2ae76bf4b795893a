import GraphStoreModel

extension PendingSave {
  /// The changes by their stores, in the order in which the stores were added; nothing where nothing
  /// persistent has changed, and no record is to be checked.
  ///
  /// Whatever could keep a store from being written is checked before any is (STO-130).
  ///
  /// - Throws: `inconsistent-context`, `no-store`, `read-only-store`, `no-store-for-object`,
  ///   `cross-store-relationship`.
  func storeSaves(of context: ManagedObjectContext) throws -> [StoreSave] {
    try checkIdentifiers()
    // Makes room too for objects of stores that were added since the context was made.
    let mounts = context.mounts
    guard isPersistent || isLookedAt else { return [] }
    return mounts.count == 1
      ? [try singleStoreSave(for: mounts[0], context)] : try savesByStore(among: mounts, context)
  }

  /// Makes sure that no updated or deleted object has a temporary identifier (OBJ-128): stores refuse rows
  /// with keys such as those have, so that such an object is there by a defect of the library.
  private func checkIdentifiers() throws {
    let strays = [updated, deleted].flatMap { objects in
      objects.firstIndexBorrowed { $0.key < 0 }.map { objects[$0...].filter { $0.key < 0 } } ?? []
    }
    if strays.isEmpty { return }
    var error = GraphStoreError(
      .inconsistentContext,
      "Objects that were never saved are to be updated or deleted: \(strays.map(\.objectID).names(first: 3)).",
      remedy: "Nothing was written. Reset the context; this is a defect of the library, please report it.",
      entity: strays[0].entity.name, objectID: strays[0].objectID)
    error.relatedObjects = strays.map(\.objectID)
    throw error
  }

  // MARK: One store

  /// Everything, for the only store.
  private func singleStoreSave(for mount: Mount, _ context: ManagedObjectContext) throws -> StoreSave {
    let coordinator = context.coordinator
    if mount.store.isReadOnly, isPersistent { throw coordinator.readOnlyStore(mount.store) }
    let stored = mount.store.entities
    var known: Int?
    for object in inserted {
      if object.layout.index != known {
        known = object.layout.index
        if !stored.contains(object.entity) { throw coordinator.noStore(for: object.entity, object.objectID) }
      }
      if object.state.contains(.assigned), object.storeIndex != mount.index {
        throw coordinator.removedStore(of: object)
      }
    }
    return StoreSave(context, mount, self)
  }

  // MARK: Several stores

  private func savesByStore(
    among mounts: [Mount], _ context: ManagedObjectContext
  ) throws -> [StoreSave] {
    let coordinator = context.coordinator
    if isPersistent { _ = try coordinator.writableStore(among: mounts) }
    let placement = StorePlacement(of: inserted, updated: updated, coordinator, mounts)
    if let failure = placement.firstFailure { throw failure }
    var links = CrossStoreLinkCheck(coordinator)
    for object in inserted { links.check(object) }
    for object in updated { links.check(object) }
    if let error = GraphStoreError.combining(links.failures) { throw error.sorted() }
    return try mounts.compactMap { try storeSave(for: $0, context) }
  }

  /// The save of one of several stores; nil where it has no changes.
  private func storeSave(for mount: Mount, _ context: ManagedObjectContext) throws -> StoreSave? {
    let own = changes(in: mount)
    guard own.isPersistent || own.isLookedAt else { return nil }
    if mount.store.isReadOnly, own.isPersistent { throw context.coordinator.readOnlyStore(mount.store) }
    return StoreSave(context, mount, own)
  }
}
