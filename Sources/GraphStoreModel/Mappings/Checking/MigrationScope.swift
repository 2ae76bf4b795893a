/// Entities that a migration concerns: those of a configuration, or all (MIG-111, MIG-281).
struct MigrationScope {
  /// Those of the source, in its order.
  let sources: [EntityDescription]
  /// Those of the destination, in its order.
  let destinations: [EntityDescription]
  private let members: Set<EntityDescription>

  /// - Throws: ``ModelLookupError`` where the destination lacks the configuration. A source that lacks it
  ///   counts as a whole: what a store may hold is never overlooked.
  init(_ pairing: ModelPairing, configuration: String?) throws(ModelLookupError) {
    destinations = try pairing.destination.entities(forConfigurationName: configuration)
    let isKnown = configuration.map(pairing.source.configurations.contains) ?? true
    sources =
      isKnown
      ? try pairing.source.entities(forConfigurationName: configuration) : pairing.source.entities
    members = Set(sources).union(destinations)
  }

  /// All entities.
  init(_ pairing: ModelPairing) {
    sources = pairing.source.entities
    destinations = pairing.destination.entities
    members = Set(sources).union(destinations)
  }

  func contains(_ entity: EntityDescription) -> Bool { members.contains(entity) }
}
