/// A relationship.
///
/// ```swift
/// for relationship in try model.entity(named: "Department").relationships {
///   print(relationship.name, relationship.destination.name, relationship.isToMany, relationship.deleteRule)
///   print("back by", relationship.inverse?.name ?? "nothing")
/// }
/// ```
public final class RelationshipDescription: PropertyDescription, @unchecked Sendable {
  /// Whether it leads to any number of objects.
  public let isToMany: Bool
  /// Whether the members of a to-many have an order.
  public let isOrdered: Bool
  /// The least number of members.
  public let minCount: Int
  /// The greatest number of members: 1 for a to-one, 0 for no limit.
  public let maxCount: Int
  /// The effect of a deletion on the other end.
  public let deleteRule: DeleteRule
  /// The position of the destination in ``ManagedObjectModel/entities``.
  package let destinationIndex: Int
  /// The position of the inverse in the destination's ``EntityDescription/relationships``; nil where there is
  /// none.
  package let inverseIndex: Int?

  init(
    _ definition: RelationshipDefinition, validations: [PropertyValidation], destinationIndex: Int,
    inverseIndex: Int?, site: DeclarationSite
  ) {
    isToMany = definition.isToMany
    isOrdered = definition.isOrdered
    minCount = definition.minCount
    maxCount = definition.isToMany ? definition.maxCount : 1
    deleteRule = definition.deleteRule
    self.destinationIndex = destinationIndex
    self.inverseIndex = inverseIndex
    super.init(definition, isTransient: definition.isTransient, validations: validations, site: site)
  }

  /// The entity it leads to; objects of its sub-entities are accepted too.
  public var destination: EntityDescription { reference.model.entities[destinationIndex] }

  /// The relationship that leads back, nil where there is none.
  public var inverse: RelationshipDescription? { inverseIndex.map { destination.relationships[$0] } }

  /// Whether a saved object must have something at the other end: a to-one that is not optional, and a
  /// to-many that is not optional and has a ``minCount``.
  public var requiresMember: Bool { !isOptional && (!isToMany || minCount > 0) }

  /// Whether an object can become invalid by losing members.
  package var limitsRemoval: Bool { requiresMember || (isToMany && minCount > 1) }

  /// Whether both ends are to-many.
  public var isManyToMany: Bool { isToMany && inverse?.isToMany == true }
}

/// Rule for the objects at the other end when an object is deleted; the raw value is the word of model files.
///
/// With `deny`, a department cannot be deleted while it has employees:
///
/// ```swift
/// let employees = RelationshipDefinition(
///   "employees", to: "Employee", inverse: "department", isToMany: true, deleteRule: .deny)
/// ```
public enum DeleteRule: String, CaseIterable, Hashable, Sendable {
  /// The other end forgets the deleted object.
  case nullify
  /// The objects at the other end are deleted too.
  case cascade
  /// The save fails while there are objects at the other end.
  case deny
  /// Nothing; the other end is left as it is.
  case noAction
}
