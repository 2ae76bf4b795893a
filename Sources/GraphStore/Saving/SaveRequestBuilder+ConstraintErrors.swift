extension SaveRequestBuilder {
  /// A conflict in the names that its objects have: the keys that a save was about to give to new ones are nobody's once
  /// it has failed.
  func named(_ error: any Error) -> any Error {
    guard var conflict = error as? GraphStoreError, conflict.code == .constraintConflict else { return error }
    conflict.objectID = conflict.objectID.map { present($0) }
    conflict.relatedObjects = conflict.relatedObjects.map { present($0) }
    guard !conflict.relatedObjects.isEmpty else { return conflict }
    conflict.details = conflict.relatedObjects.map { "\($0.shortForm) has it" }
    return conflict
  }

  private func present(_ id: ManagedObjectID) -> ManagedObjectID {
    let keys = request.permanentKeys
    let root = context.coordinator.layout.entities[id.entityIndex].rootIndex
    return changes.inserted.first { $0.layout.rootIndex == root && keys[$0.key] == id.key }?.objectID ?? id
  }
}
