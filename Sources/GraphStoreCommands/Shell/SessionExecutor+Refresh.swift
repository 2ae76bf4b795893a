import GraphStore
import GraphStoreReports

extension SessionExecutor {
  func refresh(_ ids: [String]) throws -> [String] {
    let context = try context()
    let news = try reloadStores()
    // What is read anew is read through these.
    for ancestor in present.ancestors { ancestor.context.renewObjects() }
    guard ids.isEmpty else {
      return try news
        + ids.map { text in
          let id = try session.identifier(text, .write)
          return "\(id.shortForm)  \(try refresh(id, in: context))"
        }
    }
    let objects = context.registeredObjects.filter { !$0.isInserted && !$0.isDeleted }
    try context.refreshFromStores(objects)
    restartWatch()
    return news + (objects.isEmpty ? [] : ["refreshed \(objects.count.counted("object"))"])
  }

  /// Reads the documents anew that other programs have changed; says what is new in them.
  ///
  /// A transaction that goes on reads what it began with.
  func reloadStores() throws -> [String] {
    guard present.context.coordinator.currentTransaction == nil else { return [] }
    return try present.context.coordinator.persistentStores.compactMap { store in
      let changes = try store.reload()
      if changes.isEmpty { return nil }
      let counts = [
        ("inserted", ManagedObjectContext.NotificationKey.insertedObjectIDs), ("updated", .updatedObjectIDs),
        ("deleted", .deletedObjectIDs),
      ].compactMap { word, key in changes[key].map { "\($0.count) \(word)" } }
      return "read \(VisibleText.escape(store.path)) anew: \(counts.joined(separator: ", "))"
    }
  }

  /// Refreshes one object, keeping its unsaved changes; says what has become of it (FLT-180).
  private func refresh(_ id: ManagedObjectID, in context: ManagedObjectContext) throws -> String {
    let object = try context.object(with: id)
    if object.isInserted { return "unsaved" }
    if object.isDeleted { return "deleted" }
    try context.refreshFromStores([object])
    return try context.isStored(object) ? "refreshed" : "deleted elsewhere"
  }
}
