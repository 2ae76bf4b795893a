extension ManagedObjectContext: CustomStringConvertible {
  /// The name and the kind of queue; may be asked for from anywhere.
  public var description: String {
    let kind = concurrencyType == .mainQueue ? "main queue" : "private queue"
    return name.map { "ManagedObjectContext \"\($0)\" (\(kind))" } ?? "ManagedObjectContext (\(kind))"
  }
}

extension ManagedObjectContext {
  /// Makes sure that an object does not belong to another context, and that it is referenced; one that has
  /// left its context passes.
  ///
  /// - Throws: `context-mismatch` with the names of both contexts; `object-invalidated` for an object that is
  ///   being released.
  func checkOwnership(of object: ManagedObject, before deed: String) throws {
    guard let other = object.context, other !== self else { return try object.checkHeld() }
    throw GraphStoreError(
      .contextMismatch,
      "\(object.objectID.shortForm) belongs to \(other.nameForMessages) and cannot be \(deed) by \(nameForMessages).",
      remedy: "Take the object by its identifier in this context.", entity: object.entity.name,
      objectID: object.objectID)
  }

  /// How messages name the context.
  var nameForMessages: String { name.map { "the context \"\($0)\"" } ?? "a context without a name" }
}
