extension CheckedMapping {
  /// Checks a mapping against two models, and infers what it leaves out (MIG-137 to MIG-141).
  ///
  /// No store is looked at. Costs time in proportion to the properties of both models, inherited ones counted in each
  /// entity.
  ///
  /// - Parameters:
  ///   - mapping: The mapping; nil infers everything (MIG-071).
  ///   - source: The model that is left.
  ///   - destination: The model that is reached.
  ///   - configuration: The configuration whose entities are concerned; nil for all (MIG-111).
  ///   - allowsMissingValues: Whether an attribute may become mandatory without a default, because the data decide later
  ///     (MIG-104).
  /// - Throws: ``ModelError`` with all problems of the mapping, codes `mapping-…`; ``InferenceError`` with all reasons why
  ///   what it leaves out cannot be inferred; ``ModelLookupError`` for a configuration that the destination lacks.
  public init(
    mapping: MappingModel?, from source: ManagedObjectModel, to destination: ManagedObjectModel,
    configuration: String? = nil, allowsMissingValues: Bool = false
  ) throws {
    self = try Self.parts(
      [mapping ?? MappingModel(entityMappings: [])], from: source, to: destination,
      configuration: configuration,
      allowsMissingValues: allowsMissingValues)[0]
  }

  /// Checks the mappings of one step together, which run one after the other into one store (MIG-136, MIG-227); what none
  /// of them mentions is inferred in the last.
  ///
  /// - Parameters:
  ///   - mappings: The mappings in the order in which they run; none infers everything.
  ///   - source: The model that is left.
  ///   - destination: The model that is reached.
  ///   - configuration: The configuration whose entities are concerned; nil for all (MIG-111).
  ///   - allowsMissingValues: Whether an attribute may become mandatory without a default (MIG-104).
  /// - Returns: As many as there are mappings, at least one.
  /// - Throws: As ``init(mapping:from:to:configuration:allowsMissingValues:)``.
  public static func parts(
    _ mappings: [MappingModel], from source: ManagedObjectModel, to destination: ManagedObjectModel,
    configuration: String? = nil, allowsMissingValues: Bool = false
  ) throws -> [CheckedMapping] {
    var checker = try MappingChecker(
      mappings, from: source, to: destination, configuration: configuration,
      allowsMissingValues: allowsMissingValues)
    checker.check()
    guard checker.problems.isEmpty else { throw ModelError(checker.problems.map(\.problem)) }
    let checked = checker.complete()
    guard checker.refusals.isEmpty else { throw InferenceError(checker.refusals) }
    return zip(checker.parts, checked).map { mapping, entityMappings in
      CheckedMapping(
        source: source, destination: destination, mapping: mapping, entityMappings: entityMappings)
    }
  }
}
