import GraphStoreModel
import GraphStorePredicates

/// How the destination objects of one entity mapping get the members of one relationship.
final class RelationshipTransfer {
  /// Where members come from.
  enum Source {
    /// Nowhere: the relationship was stated to be empty.
    case nothing
    /// The objects that any mapping made for the members of a relationship of the source.
    case relationship(RelationshipLayout)
    /// The objects that one mapping made for those that an expression yields.
    case objects(of: MappingWork, MappingExpression)
    /// The destination objects that an expression yields.
    case expression(MappingExpression)
  }

  /// What is done with them.
  enum Role {
    /// Links are set.
    case sets
    /// The inverse, which is stated too, sets the links; both have to agree (MIG-176).
    case compares
    /// The inverse sets the links; what is added is the order.
    case follows
  }

  let relationship: RelationshipLayout
  let source: Source
  let isStated: Bool
  /// Of a relationship that nobody stated, what it was in the source.
  let origin: RelationshipDescription?
  /// Whether members drop out whose objects the relationship does not lead to any more: its destination as a whole did not
  /// become another, so that they are those of entities which left its tree, and the plan tells of them (MIG-088).
  let dropsStrangers: Bool
  var role = Role.sets
  /// How many members of the source no mapping made anything of (MIG-174).
  var droppedCount = 0

  init(
    _ relationship: RelationshipLayout, _ source: Source, isStated: Bool,
    origin: RelationshipDescription? = nil, dropsStrangers: Bool = false
  ) {
    self.relationship = relationship
    self.source = source
    self.isStated = isStated
    self.origin = origin
    self.dropsStrangers = dropsStrangers
  }

  /// Whether the links of two ends, of which neither was stated, are set from this one.
  var isCanonical: Bool {
    guard let inverse = relationship.inverseDescription else { return true }
    if relationship.isToMany != inverse.isToMany { return !relationship.isToMany }
    let own = (relationship.description.entityIndex, relationship.description.number)
    return own <= (inverse.entity.index, inverse.number)
  }
}
