/// A configuration as a model file describes it: a name for some of the entities.
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
