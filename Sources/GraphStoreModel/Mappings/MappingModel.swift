/// Mapping from the objects of one version of a model to those of another.
///
/// It is read from a mapping file, made in code, or inferred from two models. Parts that it does not mention
/// are inferred when it is checked against both models, see ``CheckedMapping``.
///
/// ```swift
/// let inferred = try MappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
/// for entity in inferred.entityMappings { print(entity.name) }
/// let written = try MappingModel(contentsOf: "Company.graphmodel/mappings/1-2.json")
/// ```
public struct MappingModel: Hashable, Sendable {
  /// The name of the version that is left; nil for a mapping made in code.
  public var source: String?
  /// The name of the version that is reached; nil for a mapping made in code.
  public var destination: String?
  /// The entity mappings, in the order in which they run.
  public var entityMappings: [EntityMapping]
  /// Whether entities that no mapping names are left behind instead of being inferred.
  public var isComplete: Bool
  /// Anything that a program keeps with it.
  public var userInfo: [String: JSONValue]
  /// The version hashes of the source that the mapping was written for, by entity; nil where none are
  /// recorded.
  public var sourceHashes: [String: [UInt8]]?
  /// The version hashes of the destination that the mapping was written for, by entity; nil where none are
  /// recorded.
  public var destinationHashes: [String: [UInt8]]?

  /// Makes a mapping of its entity mappings.
  public init(
    source: String? = nil, destination: String? = nil, entityMappings: [EntityMapping],
    isComplete: Bool = false, userInfo: [String: JSONValue] = [:]
  ) {
    self.source = source
    self.destination = destination
    self.entityMappings = entityMappings
    self.isComplete = isComplete
    self.userInfo = userInfo
  }
}
