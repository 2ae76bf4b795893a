import GraphStore

extension SessionExecutor {
  func refresh(_ ids: [String]) throws -> [String] {
    let context = try context()
    // What is read anew is read through these.
    for ancestor in present.ancestors { ancestor.context.renewObjects() }
    guard ids.isEmpty else {
      return try ids.map { text in
        let id = try session.identifier(text, .write)
        return "\(id.shortForm)  \(try refresh(id, in: context))"
      }
    }
    let objects = context.registeredObjects.filter { !$0.isInserted && !$0.isDeleted }
    try context.refreshFromStores(objects)
    restartWatch()
    return objects.isEmpty ? [] : ["refreshed \(objects.count.counted("object"))"]
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
