import GraphStoreModel

extension ManagedObjectContext {
  /// Chooses the store of a new object; nothing is written before the next save, and the last choice counts.
  ///
  /// Call it where the object may be used. An object that was saved may be assigned to its own store, which
  /// does nothing.
  ///
  /// - Throws: `unknown-store` for a store of another coordinator, `read-only-store`, `no-store-for-object`
  ///   for one whose configuration lacks the entity; `store-reassignment` for a saved object of another
  ///   store; `context-mismatch`, `object-detached` and `object-invalidated` for an object that is not the
  ///   context's.
  public func assign(_ object: ManagedObject, to store: PersistentStoreReference) throws {
    try checkOwnership(of: object, before: "assigned")
    try object.checkChangeable()
    let mount = try coordinator.mounted(store)
    if object.key > 0 {
      if object.storeIndex == mount.index { return }
      throw reassignment(of: object, to: mount.store)
    }
    if mount.store.isReadOnly { throw coordinator.readOnlyStore(mount.store) }
    guard mount.store.entities.contains(object.entity) else {
      throw coordinator.noStore(for: object.entity, object.objectID, [mount])
    }
    object.storeIndex = mount.index
    object.changeState(adding: .assigned)
    countSetter()
  }

  private func reassignment(of object: ManagedObject, to store: any PersistentStore) -> GraphStoreError {
    let own = coordinator.store(object.storeIndex)?.path ?? "a store that was removed"
    return GraphStoreError(
      .storeReassignment,
      "Can't reassign an object to a different store once it has been saved: \(object.objectID.shortForm) is in "
        + "\(own), not in \(store.path).",
      remedy: "Move it: context.move(object, to: store).",
      entity: object.entity.name, objectID: object.objectID)
  }
}
