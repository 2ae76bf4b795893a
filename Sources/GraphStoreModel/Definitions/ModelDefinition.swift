/// The content of a model file as plain values: what is read, edited in code, and written.
///
/// A definition is not checked. ``ManagedObjectModel/init(_:)`` checks it and makes the model that stores and
/// contexts use.
///
/// To change a model, change its definition and make another one:
///
/// ```swift
/// var definition = model.copy()
/// definition.entities.append(
///   EntityDefinition("Office", attributes: [AttributeDefinition("city", .string, isOptional: false)]))
/// let extended = try ManagedObjectModel(definition)
/// ```
public struct ModelDefinition: Hashable, Sendable {
  /// The model's name; absent, the base name of its file is taken.
  public var name: String?
  /// An identifier for people; it never decides compatibility.
  public var version: String?
  /// The entities, in the order of the file.
  public var entities: [EntityDefinition]
  /// The stored fetch requests, in the order of the file.
  public var fetchRequests: [FetchRequestDefinition]
  /// The configurations, in the order of the file.
  public var configurations: [ConfigurationDefinition]
  /// User information: anything that a program keeps with it; without effect on storage and hashes.
  public var userInfo: [String: JSONValue]
  /// Texts by `Entity/E`, `Property/P/Entity/E`, `Property/P` and `ErrorString/TEXT`.
  public var localization: [String: String]
  /// Settings of an Xcode model that mean nothing to a store.
  public var xcode: [String: JSONValue]
  /// Whether an entity whose `className` no class is registered for is refused its first object, with
  /// `class-not-found`; if not, its objects are plain ones. A wish of the program: model files have no key
  /// for it.
  public var requiresClasses: Bool

  /// Makes a definition from its parts.
  public init(
    name: String? = nil, version: String? = nil, entities: [EntityDefinition] = [],
    fetchRequests: [FetchRequestDefinition] = [], configurations: [ConfigurationDefinition] = [],
    userInfo: [String: JSONValue] = [:], localization: [String: String] = [:],
    xcode: [String: JSONValue] = [:], requiresClasses: Bool = false
  ) {
    self.name = name
    self.version = version
    self.entities = entities
    self.fetchRequests = fetchRequests
    self.configurations = configurations
    self.userInfo = userInfo
    self.localization = localization
    self.xcode = xcode
    self.requiresClasses = requiresClasses
  }
}

/// A configuration as a model file describes it: a name for some of the entities.
///
/// ```swift
/// var definition = model.copy()
/// definition.configurations = [ConfigurationDefinition("Projects", entities: ["Project"])]
/// ```
public struct ConfigurationDefinition: Hashable, Sendable {
  /// The name, unique in the model.
  public var name: String
  /// The names of its entities.
  public var entities: [String]

  /// Makes a configuration.
  public init(_ name: String, entities: [String]) {
    self.name = name
    self.entities = entities
  }
}

extension ModelDefinition {
  private static let identifierKey = "userDefinedModelVersionIdentifier"

  /// The version's label for people: `version`, or the identifier that Xcode keeps beside the name of its
  /// file.
  var versionIdentifier: String? { version ?? xcode.text(Self.identifierKey) }

  /// Keeps an identifier that is not the name of the version's file where it cannot mislead: under `xcode`.
  mutating func keepIdentifier(besides name: String) {
    guard let identifier = version, identifier != name else { return }
    version = nil
    xcode[Self.identifierKey] = .string(identifier)
  }

  /// Makes the identifier that was kept under `xcode` the `version` again.
  mutating func restoreIdentifierFromXcode() {
    version = versionIdentifier
    xcode[Self.identifierKey] = nil
  }
}
