/// Check of the mappings of a step against two models, with inference of what they leave out.
struct MappingChecker {
  let pairing: ModelPairing
  let scope: MigrationScope
  let allowsMissingValues: Bool
  /// The mappings of the step, in the order in which they run.
  let parts: [MappingModel]
  /// Every written entity mapping whose entities are known.
  private(set) var listed: [ListedEntityMapping] = []
  /// The problems of the mappings, each with the part it is in.
  private(set) var problems: [(part: Int, problem: ModelProblem)] = []
  /// The refusals to infer.
  private(set) var refusals: [InferenceRefusal] = []
  /// The entities that written entity mappings take objects of.
  private(set) var listedSources: Set<EntityDescription> = []
  /// The entities that written entity mappings make.
  private(set) var listedDestinations: Set<EntityDescription> = []
  /// The entity mappings that relationships may refer to, by name.
  private(set) var targets: [String: MappingTarget] = [:]
  /// The relationships that written mappings state anywhere.
  private var statedRelationships: Set<RelationshipDescription> = []

  var source: ManagedObjectModel { pairing.source }
  var destination: ManagedObjectModel { pairing.destination }
  var judgement: ModelComparison { ModelComparison(pairing) }

  init(
    _ parts: [MappingModel], pairing: ModelPairing, configuration: String?, allowsMissingValues: Bool
  ) throws(ModelLookupError) {
    self.pairing = pairing
    scope = try MigrationScope(pairing, configuration: configuration)
    self.allowsMissingValues = allowsMissingValues
    self.parts = parts.isEmpty ? [MappingModel(entityMappings: [])] : parts
  }

  /// Makes a check of no mapping: everything is inferred.
  init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    pairing = ModelPairing(from: source, to: destination)
    scope = MigrationScope(pairing)
    allowsMissingValues = false
    parts = [MappingModel(entityMappings: [])]
  }

  /// Finds what the mappings name, and everything that is wrong with them.
  mutating func check() {
    for part in parts.indices {
      checkHashes(of: part)
      for position in parts[part].entityMappings.indices { list(part, position) }
    }
    targets = findTargets()
    checkNames()
    for mapping in listed {
      checkKind(of: mapping)
      checkFilter(of: mapping)
      checkProperties(of: mapping)
    }
  }

  mutating func report(_ problem: ModelProblem, in part: Int) { problems.append((part, problem)) }

  mutating func refuse(_ refusal: InferenceRefusal) {
    if !refusals.contains(refusal) { refusals.append(refusal) }
  }

  mutating func add(_ mapping: ListedEntityMapping) {
    listed.append(mapping)
    if let source = mapping.source { listedSources.insert(source) }
    if let destination = mapping.destination { listedDestinations.insert(destination) }
  }

  mutating func state(_ relationship: RelationshipDescription) { statedRelationships.insert(relationship) }

  /// Whether the other side of a relationship is stated, so that this side follows from it.
  func followsFromInverse(_ relationship: RelationshipDescription) -> Bool {
    guard let inverse = relationship.inverse, inverse !== relationship else { return false }
    return statedRelationships.contains(inverse)
  }

  /// The mappings between abstract entities that state properties for objects of `source` that become objects
  /// of `destination`, the nearest first.
  func carriers(from source: EntityDescription, to destination: EntityDescription) -> [ListedEntityMapping] {
    listed.filter { $0.carries(from: source, to: destination) }.sorted { $0.depth > $1.depth }
  }
}
