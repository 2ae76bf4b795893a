/// A relationship as a model file describes it.
///
/// ```swift
/// let employees = RelationshipDefinition(
///   "employees", to: "Employee", inverse: "department", isToMany: true, deleteRule: .cascade)
/// let department = RelationshipDefinition("department", to: "Department", inverse: "employees")
/// ```
public struct RelationshipDefinition: Hashable, Sendable {
  /// The name, unique among the properties of the entity and its ancestors.
  public var name: String
  /// The name of the destination entity.
  public var destination: String
  /// The name of the destination's relationship that leads back.
  public var inverse: String?
  /// Whether it leads to any number of objects.
  public var isToMany: Bool
  /// Whether the members of a to-many have an order.
  public var isOrdered: Bool
  /// Whether a saved object may have nothing at the other end; of a to-many, whether ``minCount`` is not
  /// asked of an empty one. See ``requiresMember``.
  public var isOptional: Bool
  /// Whether the relationship is never stored.
  public var isTransient: Bool
  /// The least number of members.
  public var minCount: Int
  /// The greatest number of members, 0 for no limit.
  public var maxCount: Int
  /// The effect of a deletion on the other end.
  public var deleteRule: DeleteRule
  /// Rules over the member or members.
  public var validations: [ValidationDefinition]
  /// The relationship's name in the version before, for migration.
  public var renamingIdentifier: String?
  /// A text that changes the version hash and nothing else.
  public var versionHashModifier: String?
  /// User information: anything that a program keeps with it.
  public var userInfo: [String: JSONValue]
  /// Settings of an Xcode model that mean nothing to a store.
  public var xcode: [String: JSONValue]

  /// Makes a relationship from its parts.
  public init(
    _ name: String, to destination: String, inverse: String? = nil, isToMany: Bool = false,
    isOrdered: Bool = false, isOptional: Bool = true, isTransient: Bool = false, minCount: Int = 0,
    maxCount: Int = 0, deleteRule: DeleteRule = .nullify, validations: [ValidationDefinition] = [],
    renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
    userInfo: [String: JSONValue] = [:], xcode: [String: JSONValue] = [:]
  ) {
    self.name = name
    self.destination = destination
    self.inverse = inverse
    self.isToMany = isToMany
    self.isOrdered = isOrdered
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.minCount = minCount
    self.maxCount = maxCount
    self.deleteRule = deleteRule
    self.validations = validations
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
    self.xcode = xcode
  }

  /// Whether a saved object must have something at the other end: a to-one that is not optional, and a
  /// to-many that is not optional and has a ``minCount``.
  ///
  /// A to-many that is not optional and says no least number demands nothing: Core Data saves it empty.
  public var requiresMember: Bool { !isOptional && (!isToMany || minCount > 0) }
}
