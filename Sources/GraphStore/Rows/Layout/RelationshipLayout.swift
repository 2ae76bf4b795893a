import GraphStoreModel

/// Data of a relationship for the hot paths.
///
/// Property numbers and positions among the relationships are the same in every sub-entity, so one layout
/// serves the declaring entity and all that inherit it.
package final class RelationshipLayout: Sendable {
  package let description: RelationshipDescription
  /// The property number in the owning entity.
  package let number: Int
  /// Position among the owning entity's relationships.
  package let ordinal: Int
  /// The slot of a to-one; -1 for a to-many.
  package let slot: Int
  package let destinationEntity: EntityDescription
  package let inverseDescription: RelationshipDescription?
  /// The destination of the inverse: the entity that owners have to be of.
  package let inverseDestination: EntityDescription?
  /// Position of the destination entity in the model.
  package let destination: Int
  /// Position of the inverse among the destination's relationships; -1 without an inverse.
  package let inverse: Int
  package let isToMany: Bool
  package let isOrdered: Bool
  package let isPersistent: Bool
  package let deleteRule: DeleteRule
  /// Whether the model has predicates for it (REL-149).
  package let hasRules: Bool
  /// Whether a save that deletes an owner has to look for members that another writer has added since the
  /// delete rule was applied: references in the members' rows, which would dangle, and links that the rule
  /// does not simply cut.
  package let allowsPhantoms: Bool
  /// Whether both ends are to-one and stored: each end's row has a reference that has to agree with the
  /// other's.
  package let isOneToOne: Bool

  package init(
    description: RelationshipDescription, number: Int, ordinal: Int, slot: Int, destination: Int,
    inverse: Int,
    isToMany: Bool, isOrdered: Bool, isPersistent: Bool, deleteRule: DeleteRule
  ) {
    self.description = description
    destinationEntity = description.destination
    let inverseDescription = description.inverse
    self.inverseDescription = inverseDescription
    inverseDestination = inverseDescription?.destination
    self.number = number
    self.ordinal = ordinal
    self.slot = slot
    self.destination = destination
    self.inverse = inverse
    self.isToMany = isToMany
    self.isOrdered = isOrdered
    self.isPersistent = isPersistent
    self.deleteRule = deleteRule
    hasRules = !description.validations.isEmpty
    isOneToOne =
      isPersistent && !isToMany && inverseDescription.map { !$0.isToMany && !$0.isTransient } == true
    allowsPhantoms =
      isPersistent && deleteRule != .noAction
      && inverseDescription.map { inverse in
        if inverse.isTransient { return false }
        return !inverse.isToMany || (isToMany && deleteRule != .nullify)
      } == true
  }
}

extension RelationshipLayout {
  /// Whether objects of an entity can be at the other end.
  @inline(__always)
  package func leads(to layout: EntityLayout) -> Bool {
    layout.index == destination || layout.entity.isKind(of: destinationEntity)
  }

  /// The reason why an object of an entity can have nothing at the other end; nil where it can.
  ///
  /// A model of Xcode may declare an inverse in a parent of the destination. The parent's other sub-entities
  /// inherit it, but the relationship on the other side does not lead to them.
  @inline(__always)
  package func refusal(of owner: EntityDescription) -> GraphStoreError? {
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
