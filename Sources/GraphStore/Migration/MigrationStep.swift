import GraphStoreModel

/// One step of a migration: from a version of a model to another, by one or several mappings.
///
/// ```swift
/// for step in plan.steps {
///   print(step.source.label, "to", step.destination.label, step.kind)
///   for change in step.changes { print(change.path, change.effect.name) }
/// }
/// ```
public struct MigrationStep: Sendable {
  /// Method by which the objects of the new version are made.
  public enum Kind: String, Sendable {
    /// A mapping that was inferred from both models.
    case inferred
    /// Mappings written by hand.
    case written
  }

  /// The version that is left.
  public let source: ModelVersion
  /// The version that is reached.
  public let destination: ModelVersion
  /// The method by which objects are made.
  public let kind: Kind
  /// The mappings in the order in which they run, with everything that they leave out inferred; at least one.
  public let mappings: [CheckedMapping]
  /// The files that the mappings were read from.
  public let mappingPaths: [String]
  /// The differences between the models, with their effects on a migration.
  public let difference: ModelDifference

  /// Checks the written mappings of a step, or infers one.
  ///
  /// - Parameters:
  ///   - source: The version that is left.
  ///   - destination: The version that is reached.
  ///   - written: The mappings written by hand, in the order in which they run; none for an inferred step.
  ///   - configuration: The configuration whose entities the store holds; nil for all.
  ///   - allowsMissingValues: Whether attributes may become mandatory without a default, because the data
  ///     decide.
  /// - Throws: `not-inferable` with every reason; ``/GraphStoreModel/ModelError`` for what is wrong with a
  ///   mapping.
  public init(
    from source: ModelVersion, to destination: ModelVersion, written: [MappingModel] = [],
    configuration: String? = nil, allowsMissingValues: Bool = false
  ) throws {
    let pairing = ModelPairing(from: source.model, to: destination.model)
    try self.init(from: source, to: destination, pairing, isWritten: !written.isEmpty, paths: []) {
      try CheckedMapping.parts(
        written, from: source.model, to: destination.model, configuration: configuration,
        allowsMissingValues: allowsMissingValues)
    }
  }

  /// Infers a direct step where there are versions between; renames on the way count (MIG-045).
  init(
    from source: ModelVersion, to destination: ModelVersion, through versions: [ManagedObjectModel],
    configuration: String?
  ) throws {
    let pairing = ModelPairing(from: source.model, to: destination.model, through: versions)
    try self.init(from: source, to: destination, pairing, isWritten: false, paths: []) {
      try CheckedMapping.inferred(pairing, configuration: configuration)
    }
  }

  /// Checks mappings that were read from files; what is wrong with one has its line and column.
  init(
    from source: ModelVersion, to destination: ModelVersion, files: [MappingFile], configuration: String?
  ) throws {
    let pairing = ModelPairing(from: source.model, to: destination.model)
    try self.init(from: source, to: destination, pairing, isWritten: true, paths: files.compactMap(\.path)) {
      try CheckedMapping.parts(
        files, from: source.model, to: destination.model, configuration: configuration)
    }
  }

  private init(
    from source: ModelVersion, to destination: ModelVersion, _ pairing: ModelPairing, isWritten: Bool,
    paths: [String], _ mappings: () throws -> [CheckedMapping]
  ) throws {
    self.source = source
    self.destination = destination
    kind = isWritten ? .written : .inferred
    mappingPaths = paths
    do {
      self.mappings = try mappings()
    } catch let error as InferenceError {
      throw GraphStoreError(error, from: source, to: destination)
    }
    difference = ModelDifference(pairing)
  }

  /// The changes of a store's contents, in the order of the models; a change that a written mapping covers is
  /// lossless, though inference would lose or refuse it.
  public var changes: [ModelChange] {
    let changes = difference.changes.filter { $0.effect != .none }
    return kind == .written ? judged(changes) : changes
  }

  /// The names of the migration policies that the mappings need.
  public var policyNames: [String] {
    var names: [String] = []
    for name in mappings.flatMap(\.entityMappings).compactMap(\.policyName) where !names.contains(name) {
      names.append(name)
    }
    return names
  }
}
