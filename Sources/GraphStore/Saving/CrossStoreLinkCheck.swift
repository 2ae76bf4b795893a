import GraphStoreModel

/// Finds changed relationships between objects of different stores (STO-133, REL-157).
struct CrossStoreLinkCheck {
  private let coordinator: PersistentStoreCoordinator
  private(set) var failures: [GraphStoreError] = []

  init(_ coordinator: PersistentStoreCoordinator) { self.coordinator = coordinator }

  /// Notes the links of an object, which has its store.
  mutating func check(_ object: ManagedObject) {
    object.forEachChangedLink { relationship, destination in
      guard destination.storeIndex != object.storeIndex, names(relationship, from: object, to: destination)
      else {
        return
      }
      failures.append(failure(relationship, from: object, to: destination))
    }
  }

  /// Whether a link is reported from this end: both have changed, and one is enough.
  private func names(
    _ relationship: RelationshipLayout, from object: ManagedObject, to destination: ManagedObject
  )
    -> Bool
  {
    guard let inverse = relationship.inverseDescription else { return true }
    if inverse.isToMany != relationship.isToMany { return !relationship.isToMany }
    let ends = (relationship.description.entity.index, relationship.description.number)
    let others = (inverse.entity.index, inverse.number)
    return ends == others ? object.precedes(destination) : ends < others
  }

  private func failure(
    _ relationship: RelationshipLayout, from object: ManagedObject, to destination: ManagedObject
  ) -> GraphStoreError {
    func place(_ object: ManagedObject) -> String { coordinator.store(object.storeIndex)?.path ?? "" }
    var error = GraphStoreError(
      .crossStoreRelationship,
      "\(object.entity.name).\(relationship.description.name) leads from \(object.objectID.shortForm) in "
        + "\(place(object)) to \(destination.objectID.shortForm) in \(place(destination)).",
      remedy: "Use a fetched property, or keep the other object's URI in an attribute. Nothing was written.",
      entity: object.entity.name, property: relationship.description.name, objectID: object.objectID)
    error.relatedObjects = [destination.objectID]
    return error
  }
}
