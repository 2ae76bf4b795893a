/// An entity as a model file describes it.
///
/// ```swift
/// var employee = EntityDefinition(
///   "Employee", className: "Employee", attributes: [AttributeDefinition("badge", .int32)])
/// employee.uniquenessConstraints = [["badge"]]
/// let model = try ManagedObjectModel(ModelDefinition(name: "Company", entities: [employee]))
/// ```
public struct EntityDefinition: Hashable, Sendable {
  /// The name, unique in the model.
  public var name: String
  /// The name of the parent entity, nil for a root.
  public var parent: String?
  /// Whether the entity has no objects of its own.
  public var isAbstract: Bool
  /// The name under which a class is registered for its objects.
  public var className: String?
  /// The entity's own attributes, in order.
  public var attributes: [AttributeDefinition]
  /// The entity's own relationships, in order.
  public var relationships: [RelationshipDefinition]
  /// The entity's own fetched properties, in order.
  public var fetchedProperties: [FetchedPropertyDefinition]
  /// The indexes.
  public var indexes: [IndexDefinition]
  /// Lists of attribute names whose values are unique together.
  public var uniquenessConstraints: [[String]]
  /// The entity's name in the version before, for migration.
  public var renamingIdentifier: String?
  /// A text that changes the version hash and nothing else.
  public var versionHashModifier: String?
  /// User information: anything that a program keeps with it.
  public var userInfo: [String: JSONValue]
  /// Settings of an Xcode model that mean nothing to a store.
  public var xcode: [String: JSONValue]

  /// Makes an entity from its parts.
  public init(
    _ name: String, parent: String? = nil, isAbstract: Bool = false, className: String? = nil,
    attributes: [AttributeDefinition] = [], relationships: [RelationshipDefinition] = [],
    fetchedProperties: [FetchedPropertyDefinition] = [], indexes: [IndexDefinition] = [],
    uniquenessConstraints: [[String]] = [], renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil, userInfo: [String: JSONValue] = [:],
    xcode: [String: JSONValue] = [:]
  ) {
    self.name = name
    self.parent = parent
    self.isAbstract = isAbstract
    self.className = className
    self.attributes = attributes
    self.relationships = relationships
    self.fetchedProperties = fetchedProperties
    self.indexes = indexes
    self.uniquenessConstraints = uniquenessConstraints
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
    self.xcode = xcode
  }
}
