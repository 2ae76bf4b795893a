import GraphStoreModel

extension ManagedObject {
  /// Hands over the links that a save would store because the object was inserted or changed.
  final func forEachChangedLink(_ body: (RelationshipLayout, ManagedObject) -> Void) {
    guard case .nothing = attachment else { return forEachTouchedLink(body) }
  }

  private final func forEachTouchedLink(_ body: (RelationshipLayout, ManagedObject) -> Void) {
    for relationship in layout.relationships where relationship.isPersistent {
      switch relationshipIfTouched(relationship.ordinal) {
      case let members as ToManyRelationship:
        for member in members.added.elements where member.isPresent { body(relationship, member) }
      case let destination as ManagedObject:
        guard destination.isPresent, hasChanged(relationship) else { continue }
        body(relationship, destination)
      default: break
      }
    }
  }

  private final func hasChanged(_ relationship: RelationshipLayout) -> Bool {
    state.contains(.inserted) || extra?.written.contains(relationship.number) == true
  }
}
