import GraphStorePredicates

/// Mapping of one property of a destination object.
///
/// An expression may call a function of the entity mapping's policy:
///
/// ```swift
/// let fullName = PropertyMapping(
///   "name", .expression(try QueryExpression(parsing: "FUNCTION($entityPolicy, 'join:', $source.first)")))
/// let employees = EntityMapping(from: "Employee", to: "Employee", attributeMappings: [fullName])
/// ```
public struct PropertyMapping: Hashable, Sendable {
  /// Source of the value.
  public enum Source: Hashable, Sendable {
    /// As if the property were not mentioned, also where the entity mapping is complete.
    case inferred
    /// Nothing: the value is nil, or the relationship empty.
    case none
    /// The value of an expression over `$source` and the other variables of mappings.
    case expression(QueryExpression)
    /// The objects that another entity mapping made for the objects an expression yields.
    case objects(ofMapping: String, from: QueryExpression)
  }

  /// The name of the destination's property.
  public var name: String
  /// The source of the value.
  public var value: Source
  /// Anything that a program keeps with it.
  public var userInfo: [String: JSONValue]

  /// Makes a mapping of a property.
  public init(_ name: String, _ value: Source, userInfo: [String: JSONValue] = [:]) {
    self.name = name
    self.value = value
    self.userInfo = userInfo
  }
}
