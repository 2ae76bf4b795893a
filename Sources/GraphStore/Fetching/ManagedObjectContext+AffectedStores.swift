extension ManagedObjectContext {
  /// - Throws: `unknown-store` for one that the coordinator does not have (FET-017).
  func checkAffectedStores(_ request: FetchRequest<ManagedObject>) throws {
    for store in request.affectedStores ?? [] { _ = try coordinator.mounted(store) }
  }

  /// The inserted objects that a fetch is to look at: where it asks for some stores only, those that a save would put there
  /// (FET-067).
  func insertedObjects(for prepared: PreparedFetch) -> [ManagedObject] {
    let inserted = insertedObjects
    guard let stores = prepared.request.affectedStores, !inserted.isEmpty else { return inserted }
    let placement = StorePlacement(of: inserted, updated: updatedObjects, coordinator, mounts)
    return inserted.filter { object in
      placement.failures[ObjectIdentifier(object)] == nil
        && stores.contains { $0.mount.index == object.storeIndex }
    }
  }
}
