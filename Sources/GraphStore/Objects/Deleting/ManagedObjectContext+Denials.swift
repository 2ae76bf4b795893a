import GraphStoreModel

extension ManagedObjectContext {
  /// The errors that forbid the deletion of objects, by object; one statement a Deny relationship (REL-199).
  func denials(of objects: [ManagedObject]) throws -> [ManagedObject: [GraphStoreError]] {
    guard coordinator.layout.hasDenyRules else { return [:] }
    let protected = objects.filterBorrowed { $0.layout.has(.deny) }
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
    let denials = try context.validation.denials ?? context.denials(of: [self])
    if let error = GraphStoreError.combining(denials[self] ?? []) { throw error }
  }
}

extension DeletionPropagation.Denial {
  /// The denial as a preview shows it.
  var preview: DeletionPreview.Denial {
    DeletionPreview.Denial(
      objectID: object.objectID, relationship: relationship.description.name,
      blocking: blocking.map(\.objectID), origin: path?.origin.objectID, path: path?.relationships ?? [])
  }

  /// The failure of the save.
  var error: GraphStoreError { preview.error }
}

extension DeletionPreview.Denial {
  /// The error that the save would fail with, `delete-denied`: its details name the first objects in the way.
  public var error: GraphStoreError {
    let entity = objectID.entity
    let destination = entity.relationship(named: relationship)?.destination.name ?? "objects"
    var error = GraphStoreError(
      .deleteDenied,
      "cannot delete \(objectID.shortForm): \"\(relationship)\" must be empty (rule: deny)",
      remedy: "Delete or move them first, in the same save.", entity: entity.name, property: relationship,
      objectID: objectID)
    error.relatedObjects = blocking
    error.details = ["blocked by \(blocking.count) \(destination): \(blocking.names(first: 3))"]
    if let origin {
      error.details.append("deleted with \(origin.shortForm), by way of \(path.joined(separator: ", "))")
    }
    return error
  }
}
