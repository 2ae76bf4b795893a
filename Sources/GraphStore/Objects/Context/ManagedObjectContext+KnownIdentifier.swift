import GraphStoreModel

extension ManagedObjectContext {
  /// Makes a new object with an identifier that is known, as that of the same object in a copy of the store.
  ///
  /// No object may have it, and none gets it later. It is read whether there is one, and the counter of keys
  /// is raised where it is behind.
  ///
  /// - Throws: `not-unique` for an identifier that an object has; `abstract-entity`, `read-only-store`,
  ///   `store-timeout`.
  package func insert(as id: ManagedObjectID) throws -> ManagedObject {
    checkQueue()
    let layout = try concreteLayout(coordinator.layout.entities[id.entityIndex])
    guard let mount = mounts.first(where: { $0.scope === id.scope }), parent == nil else {
      throw coordinator.noStore()
    }
    let root = coordinator.layout.entities[layout.rootIndex]
    let isTaken = try writing(to: mount) { session in
      if try session.row(root, id.key) != nil { return true }
      let last = try session.greatestKey(root)
      if last < id.key { _ = try session.reserveKeys(root, count: Int(id.key - last)) }
      return false
    }
    guard !isTaken, registry.object(layout, key: id.key, store: mount.index) == nil else {
      throw GraphStoreError(
        .notUnique, "There is an object \(id.shortForm) already.",
        remedy: "Give another number, or change that object.", entity: layout.entity.name, objectID: id)
    }
    return insert(layout, key: id.key, storeIndex: mount.index)
  }

  /// Writes in the transaction that is open, or in one of its own.
  private func writing<Result>(to mount: Mount, _ body: (any WriteSession) throws -> Result) throws -> Result
  {
    if let session = coordinator.currentTransaction?.session(mount.index) { return try body(session) }
    return try mount.store.write(body)
  }
}
