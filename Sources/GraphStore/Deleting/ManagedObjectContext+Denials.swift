import GraphStoreModel

extension ManagedObjectContext {
  /// What forbids the deletion of objects, by object; one statement a Deny relationship (REL-199).
  func denials(of objects: [ManagedObject]) throws -> [ManagedObject: [GraphStoreError]] {
    let protected = objects.filter { $0.layout.has(.deny) }
    guard !protected.isEmpty else { return [:] }
    let propagation = DeletionPropagation(context: self, isPreview: false, deleted: protected)
    return Dictionary(grouping: try propagation.findDenials(), by: \.object)
      .mapValues { $0.map(\.error) }
  }
}

extension ManagedObject {
  /// Makes sure that no Deny relationship leads to an object that stays.
  ///
  /// - Throws: `delete-denied`, or one error of code 1560 with one for each relationship.
  final func checkDenyRelationships() throws {
    guard layout.has(.deny), let context, !state.contains(.inserted) else { return }
    let denials = try context.denialsOfSave ?? context.denials(of: [self])
    if let error = GraphStoreError.combining(denials[self] ?? []) { throw error }
  }
}

extension DeletionPropagation.Denial {
  /// The failure of the save.
  var error: GraphStoreError {
    Self.error(object.objectID, relationship.description, blocking: blocking.map(\.objectID))
  }

  static func error(
    _ id: ManagedObjectID, _ relationship: RelationshipDescription, blocking: [ManagedObjectID]
  ) -> GraphStoreError {
    let names = blocking.prefix(3).map(\.shortForm).joined(separator: ", ")
    let more = blocking.count > 3 ? " … (\(blocking.count - 3) more)" : ""
    var error = GraphStoreError(
      .deleteDenied,
      "cannot delete \(id.shortForm): \"\(relationship.name)\" must be empty (rule: deny)",
      remedy: "Delete or move them first, in the same save.", entity: id.entity.name,
      property: relationship.name, objectID: id)
    error.relatedObjects = blocking
    error.details = ["blocked by \(blocking.count) \(relationship.destination.name): \(names)\(more)"]
    return error
  }
}
