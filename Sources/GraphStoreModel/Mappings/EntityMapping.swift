import GraphStorePredicates

/// Mapping from objects of one entity to objects of another.
///
/// ```swift
/// let yearly = try QueryExpression(parsing: "$source.salary * 12")
/// let employees = EntityMapping(
///   from: "Employee", to: "Employee", filter: try QueryPredicate(parsing: "salary > 0"),
///   attributeMappings: [PropertyMapping("salary", .expression(yearly))])
/// let mapping = MappingModel(entityMappings: [employees])
/// ```
public struct EntityMapping: Hashable, Sendable {
  /// Kind of an entity mapping.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Makes no objects by itself; there is no source.
    case add
    /// Leaves objects behind; there is no destination.
    case remove
    /// Takes objects over as they are: the entities have equal hashes and nothing is stated.
    case copy
    /// Makes one object of each.
    case transform
    /// A migration policy makes the objects.
    case custom
  }

  /// The name, unique in the mapping, under which relationships refer to it.
  public var name: String
  /// The entity of the source; nil for one that only a policy fills.
  public var sourceEntityName: String?
  /// The entity of the destination; nil where the objects are left behind.
  public var destinationEntityName: String?
  /// The kind as it is stated; nil where it follows from the rest.
  public var kind: Kind?
  /// The filter that selects source objects; nil for all.
  public var filter: QueryPredicate?
  /// The name under which the migration policy is registered; nil for none.
  public var policyName: String?
  /// The mappings of attributes.
  public var attributeMappings: [PropertyMapping]
  /// The mappings of relationships.
  public var relationshipMappings: [PropertyMapping]
  /// Whether attributes that are not mentioned take their defaults, and relationships stay empty, instead of
  /// being inferred.
  public var isComplete: Bool
  /// Anything that a program keeps with it.
  public var userInfo: [String: JSONValue]

  /// Makes a mapping; by default its name is `SOURCEToDESTINATION`.
  public init(
    _ name: String? = nil, from sourceEntityName: String?, to destinationEntityName: String?,
    kind: Kind? = nil,
    filter: QueryPredicate? = nil, policyName: String? = nil, attributeMappings: [PropertyMapping] = [],
    relationshipMappings: [PropertyMapping] = [], isComplete: Bool = false,
    userInfo: [String: JSONValue] = [:]
  ) {
    self.name = name ?? Self.defaultName(from: sourceEntityName, to: destinationEntityName)
    self.sourceEntityName = sourceEntityName
    self.destinationEntityName = destinationEntityName
    self.kind = kind
    self.filter = filter
    self.policyName = policyName
    self.attributeMappings = attributeMappings
    self.relationshipMappings = relationshipMappings
    self.isComplete = isComplete
    self.userInfo = userInfo
  }

  /// The name of a mapping without one.
  public static func defaultName(from source: String?, to destination: String?) -> String {
    "\(source ?? "")To\(destination ?? "")"
  }
}
