extension CheckedMapping {
  /// Checks a mapping against two models, and infers what it leaves out.
  ///
  /// No store is read. Costs time in proportion to the properties of both models, inherited ones counted in
  /// each entity.
  ///
  /// - Parameters:
  ///   - mapping: The mapping; nil infers everything.
  ///   - source: The model that is left.
  ///   - destination: The model that is reached.
  ///   - configuration: The configuration whose entities are concerned; nil for all.
  ///   - allowsMissingValues: Whether an attribute may become mandatory without a default, because the data
  ///     decide later.
  /// - Throws: ``ModelError`` with all problems of the mapping, codes `mapping-…`; ``InferenceError`` with
  ///   all reasons why what it leaves out cannot be inferred; ``ModelLookupError`` for a configuration that
  ///   the destination lacks.
  public init(
    mapping: MappingModel?, from source: ManagedObjectModel, to destination: ManagedObjectModel,
    configuration: String? = nil, allowsMissingValues: Bool = false
  ) throws {
    self = try Self.parts(
      [mapping ?? MappingModel(entityMappings: [])], from: source, to: destination,
      configuration: configuration, allowsMissingValues: allowsMissingValues)[0]
  }

  /// Checks the mappings of one step together, which run one after the other into one store; what none
  /// of them mentions is inferred in the last.
  ///
  /// - Parameters:
  ///   - mappings: The mappings in the order in which they run; none infers everything.
  ///   - source: The model that is left.
  ///   - destination: The model that is reached.
  ///   - configuration: The configuration whose entities are concerned; nil for all.
  ///   - allowsMissingValues: Whether an attribute may become mandatory without a default.
  /// - Returns: As many as there are mappings, at least one.
  /// - Throws: As ``init(mapping:from:to:configuration:allowsMissingValues:)``.
  public static func parts(
    _ mappings: [MappingModel], from source: ManagedObjectModel, to destination: ManagedObjectModel,
    configuration: String? = nil, allowsMissingValues: Bool = false
  ) throws -> [CheckedMapping] {
    var checker = try MappingChecker(
      mappings, pairing: ModelPairing(from: source, to: destination), configuration: configuration,
      allowsMissingValues: allowsMissingValues)
    return try checker.run { problems in
      ModelError(ModelProblem.inDocumentOrder(problems.flatMap(\.self)))
    }
  }

  /// Checks the mapping files of one step together, in the order of their names.
  ///
  /// - Parameters:
  ///   - files: The files; none infers everything.
  ///   - source: The model that is left.
  ///   - destination: The model that is reached.
  ///   - configuration: The configuration whose entities are concerned; nil for all.
  ///   - allowsMissingValues: Whether an attribute may become mandatory without a default.
  /// - Returns: As many as there are files, at least one.
  /// - Throws: As ``init(mapping:from:to:configuration:allowsMissingValues:)``; problems have file, line and
  ///   column.
  public static func parts(
    _ files: [MappingFile], from source: ManagedObjectModel, to destination: ManagedObjectModel,
    configuration: String? = nil, allowsMissingValues: Bool = false
  ) throws -> [CheckedMapping] {
    var checker = try MappingChecker(
      files.map(\.mapping), pairing: ModelPairing(from: source, to: destination),
      configuration: configuration,
      allowsMissingValues: allowsMissingValues)
    return try checker.run { problems in
      let located = zip(files, problems).flatMap { file, problems in
        file.located(problems).map { problem in
          var problem = problem
          problem.file = file.path
          return problem
        }
      }
      return ModelError(located, file: files.first?.path)
    }
  }
}

extension CheckedMapping {
  /// The mapping that is inferred between the models of a pairing.
  ///
  /// - Parameter configuration: The configuration whose entities are concerned; nil for all (MIG-111).
  /// - Throws: ``InferenceError`` with every reason why there is none; ``ModelLookupError`` for an unknown
  ///   configuration.
  package static func inferred(_ pairing: ModelPairing, configuration: String?) throws -> [CheckedMapping] {
    var checker = try MappingChecker(
      [], pairing: pairing, configuration: configuration, allowsMissingValues: false)
    return try checker.run { problems in ModelError(ModelProblem.inDocumentOrder(problems.flatMap(\.self))) }
  }
}

extension MappingChecker {
  /// Checks and completes the mappings.
  ///
  /// - Parameter makeError: Makes the error of the problems of each part.
  fileprivate mutating func run(
    makeError: ([[ModelProblem]]) -> ModelError
  ) throws -> [CheckedMapping] {
    check()
    if problems.isEmpty {
      let checked = complete()
      if problems.isEmpty {
        guard refusals.isEmpty else { throw InferenceError(refusals) }
        return zip(parts, checked).map { mapping, entityMappings in
          CheckedMapping(
            pairing: pairing, mapping: mapping, entityMappings: entityMappings)
        }
      }
    }
    throw makeError(
      parts.indices.map { part in problems.filter { $0.part == part }.map(\.problem) })
  }
}
