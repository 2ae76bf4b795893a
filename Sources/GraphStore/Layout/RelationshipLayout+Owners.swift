import GraphStoreModel

extension RelationshipLayout {
  /// Why an object of an entity can have nothing at the other end; nil where it can.
  ///
  /// A model of Xcode may declare an inverse in a parent of the destination. The parent's other sub-entities inherit
  /// it, but the relationship on the other side does not lead to them.
  @inline(__always)
  func refusal(of owner: EntityDescription) -> GraphStoreError? {
    guard let inverseDestination, !owner.isKind(of: inverseDestination) else { return nil }
    return refusal(of: owner, but: inverseDestination)
  }

  @inline(never)
  private func refusal(of owner: EntityDescription, but expected: EntityDescription) -> GraphStoreError {
    let name = description.name
    let inverse = inverseDescription.map { "\($0.entity.name).\($0.name)" } ?? ""
    return GraphStoreError(
      .wrongDestination,
      "\(owner.name).\(name) cannot be set: its inverse \(inverse) leads to \(expected.name), not to \(owner.name).",
      remedy: "Link an object of \(expected.name) or of one of its sub-entities.",
      entity: owner.name, property: name)
  }
}
