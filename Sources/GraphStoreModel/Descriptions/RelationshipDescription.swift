/// A relationship.
public final class RelationshipDescription: PropertyDescription, @unchecked Sendable {
  /// Whether it leads to any number of objects.
  public let isToMany: Bool
  /// Whether the members of a to-many have an order.
  public let isOrdered: Bool
  /// The least number of members.
  public let minCount: Int
  /// The greatest number of members: 1 for a to-one, 0 for no limit.
  public let maxCount: Int
  /// What a deletion does to the other end.
  public let deleteRule: DeleteRule
  @safe @exclusivity(unchecked) unowned var destinationReference: EntityDescription?
  @safe @exclusivity(unchecked) unowned var inverseReference: RelationshipDescription?

  init(_ definition: RelationshipDefinition, number: Int, validations: [PropertyValidation]) {
    isToMany = definition.isToMany
    isOrdered = definition.isOrdered
    minCount = definition.minCount
    maxCount = definition.isToMany ? definition.maxCount : 1
    deleteRule = definition.deleteRule
    super.init(
      name: definition.name, number: number, isOptional: definition.isOptional,
      isTransient: definition.isTransient, userInfo: definition.userInfo, validations: validations,
      renamingIdentifier: definition.renamingIdentifier,
      versionHashModifier: definition.versionHashModifier)
  }

  /// The entity it leads to; objects of its sub-entities are accepted too.
  public var destination: EntityDescription {
    if isModelAlive { return destinationReference! }
    return remade?.destination ?? destinationReference!
  }

  /// The relationship that leads back, nil where there is none.
  public var inverse: RelationshipDescription? {
    if isModelAlive { return inverseReference }
    return remade.map(\.inverse) ?? inverseReference
  }

  private var remade: RelationshipDescription? { counterpart as? RelationshipDescription }

  /// Whether a saved object must have something at the other end: a to-one that is not optional, and a to-many that is not
  /// optional and has a ``minCount``.
  public var requiresMember: Bool { !isOptional && (!isToMany || minCount > 0) }

  /// Whether an object can become invalid by losing members.
  package var limitsRemoval: Bool { requiresMember || (isToMany && minCount > 1) }

  /// Whether both ends are to-many.
  public var isManyToMany: Bool { isToMany && inverse?.isToMany == true }
}
