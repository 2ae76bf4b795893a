import GraphStoreModel

extension RelationshipDescription {
  /// Why an object of an entity can have nothing at the other end; nil where it can.
  ///
  /// A model of Xcode may declare an inverse in a parent of the destination. The parent's other sub-entities inherit it, but
  /// the relationship on the other side does not lead to them.
  func refusal(of owner: EntityDescription) -> GraphStoreError? {
    guard let inverse, !owner.isKind(of: inverse.destination) else { return nil }
    return GraphStoreError(
      .wrongDestination,
      "\(owner.name).\(name) cannot be set: its inverse \(inverse.entity.name).\(inverse.name) leads to "
        + "\(inverse.destination.name), not to \(owner.name).",
      remedy: "Link an object of \(inverse.destination.name) or of one of its sub-entities.",
      entity: owner.name, property: name)
  }
}
