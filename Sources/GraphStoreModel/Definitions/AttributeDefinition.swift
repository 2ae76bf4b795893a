/// An attribute, or an element of a composite attribute, as a model file describes it.
///
/// ```swift
/// let attributes = [
///   AttributeDefinition("name", .string, isOptional: false, minLength: 1),
///   AttributeDefinition("salary", .decimal, isOptional: false, defaultValue: 0, minimum: 0),
/// ]
/// let employee = EntityDefinition("Employee", attributes: attributes)
/// ```
public struct AttributeDefinition: Hashable, Sendable {
  /// The name, unique among the properties of the entity and its ancestors.
  public var name: String
  /// The kind of value.
  public var type: AttributeType
  /// Whether a saved object may lack the value.
  public var isOptional: Bool
  /// Whether the value is never stored.
  public var isTransient: Bool
  /// The value a new object starts with: a number, string or boolean as the type asks; dates in ISO 8601.
  public var defaultValue: JSONValue?
  /// The least value, inclusive; for numbers and dates.
  public var minimum: JSONValue?
  /// The greatest value, inclusive; for numbers and dates.
  public var maximum: JSONValue?
  /// The least length of a string in UTF-16 units.
  public var minLength: Int?
  /// The greatest length of a string in UTF-16 units.
  public var maxLength: Int?
  /// A regular expression that the whole string matches.
  public var pattern: String?
  /// The name of the value transformer of a transformable attribute.
  public var transformer: String?
  /// Whether a large binary value may live in a file of its own.
  public var externalStorage: Bool
  /// The expression by which the store computes the value.
  public var derivation: String?
  /// The elements of a composite attribute.
  public var elements: [AttributeDefinition]
  /// Whether the last value is kept in the history entry of a deletion.
  public var preservesValueInHistory: Bool
  /// Rules over the candidate value.
  public var validations: [ValidationDefinition]
  /// The attribute's name in the version before, for migration.
  public var renamingIdentifier: String?
  /// A text that changes the version hash and nothing else.
  public var versionHashModifier: String?
  /// User information: anything that a program keeps with it.
  public var userInfo: [String: JSONValue]
  /// Settings of an Xcode model that mean nothing to a store.
  public var xcode: [String: JSONValue]

  /// Makes an attribute from its parts.
  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = true, isTransient: Bool = false,
    defaultValue: JSONValue? = nil, minimum: JSONValue? = nil, maximum: JSONValue? = nil,
    minLength: Int? = nil, maxLength: Int? = nil, pattern: String? = nil, transformer: String? = nil,
    externalStorage: Bool = false, derivation: String? = nil, elements: [AttributeDefinition] = [],
    preservesValueInHistory: Bool = false, validations: [ValidationDefinition] = [],
    renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
    userInfo: [String: JSONValue] = [:], xcode: [String: JSONValue] = [:]
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.defaultValue = defaultValue
    self.minimum = minimum
    self.maximum = maximum
    self.minLength = minLength
    self.maxLength = maxLength
    self.pattern = pattern
    self.transformer = transformer
    self.externalStorage = externalStorage
    self.derivation = derivation
    self.elements = elements
    self.preservesValueInHistory = preservesValueInHistory
    self.validations = validations
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
    self.xcode = xcode
  }
}
