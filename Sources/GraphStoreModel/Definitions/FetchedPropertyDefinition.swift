/// A fetched property as a model file describes it.
///
/// Its predicate may name the object that has the property:
///
/// ```swift
/// let colleagues = FetchedPropertyDefinition(
///   "colleagues", entity: "Employee", predicate: "department == $FETCH_SOURCE.department", sort: ["name"])
/// let employee = EntityDefinition("Employee", fetchedProperties: [colleagues])
/// ```
public struct FetchedPropertyDefinition: Hashable, Sendable {
  /// The name, unique among the properties of the entity and its ancestors.
  public var name: String
  /// The name of the entity that is fetched.
  public var entity: String
  /// The predicate's text; it may use `$FETCH_SOURCE` and `$FETCHED_PROPERTY`.
  public var predicate: String?
  /// Sort keys, `-` before one that descends.
  public var sort: [String]
  /// The greatest number of objects, 0 for no limit.
  public var limit: Int
  /// Accepted for the likeness of properties; without effect.
  public var isOptional: Bool
  /// Accepted for the likeness of properties; without effect.
  public var renamingIdentifier: String?
  /// Accepted for the likeness of properties; without effect.
  public var versionHashModifier: String?
  /// User information: anything that a program keeps with it; `$FETCHED_PROPERTY.userInfo` reaches it.
  public var userInfo: [String: JSONValue]
  /// Settings of an Xcode model that mean nothing to a store.
  public var xcode: [String: JSONValue]

  /// Makes a fetched property from its parts.
  public init(
    _ name: String, entity: String, predicate: String? = nil, sort: [String] = [], limit: Int = 0,
    isOptional: Bool = true, renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
    userInfo: [String: JSONValue] = [:], xcode: [String: JSONValue] = [:]
  ) {
    self.name = name
    self.entity = entity
    self.predicate = predicate
    self.sort = sort
    self.limit = limit
    self.isOptional = isOptional
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
    self.xcode = xcode
  }
}
