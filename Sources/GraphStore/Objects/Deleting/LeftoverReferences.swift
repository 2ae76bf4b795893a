import GraphStoreModel

extension ManagedObjectContext {
  /// The references in the context to an object whose record is deleted, a line for each, the first twenty
  /// (DGN-145).
  ///
  /// It checks every registered object whose values are in memory, and runs no statement.
  func leftoverReferences(to gone: ManagedObject) -> [String] {
    let sources = registry.all().filter { $0 !== gone && $0.state.isDisjoint(with: [.deleted, .detached]) }
    let lines = sources.sortedByIdentifier().lazy.flatMap { source in
      source.layout.relationships.lazy.filter { source.refers(to: gone, by: $0) }.map { relationship in
        "\(source.objectID.shortForm).\(relationship.description.name) leads to it"
      }
    }
    return Array(lines.prefix(20))
  }
}

extension ManagedObject {
  /// Whether a relationship leads to an object, as far as that is known without reading anything.
  fileprivate final func refers(to object: ManagedObject, by relationship: RelationshipLayout) -> Bool {
    guard !relationship.isToMany else {
      let members = relationshipIfTouched(relationship.ordinal) as? ToManyRelationship
      return members?.members?.elements.contains { $0 === object } == true
    }
    guard relationship.isPersistent else { return knownDestination(relationship.ordinal) === object }
    guard storeIndex == object.storeIndex, let reference = currentRow?.reference(relationship.slot) else {
      return false
    }
    return reference.key == object.key && reference.entity == object.layout.index
  }
}
