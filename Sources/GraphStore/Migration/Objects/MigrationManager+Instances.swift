import GraphStoreModel

/// Interface for policies while a step runs; everything throws `migration-failed` outside of a run.
extension MigrationManager {
  /// The mapping that runs, as it was written.
  public var mappingModel: MappingModel {
    get throws {
      let run = try running()
      return (run.currentPart ?? run.parts[0]).mapping
    }
  }

  /// The context of the source, of plain objects: what is changed in it reaches no file, and saving it throws
  /// `read-only-store`.
  public var sourceContext: ManagedObjectContext { get throws { try running().source.context } }

  /// The context of the destination, of plain objects. Saves of it check nothing; the whole store is
  /// validated at the end.
  public var destinationContext: ManagedObjectContext { get throws { try running().destination.context } }

  /// The entity mapping whose hooks run; nil outside of hooks.
  public var currentEntityMapping: CheckedEntityMapping? { get throws { try running().current?.mapping } }

  /// The source's entity of an entity mapping; nil for one that makes objects of nothing.
  public func sourceEntity(for mapping: CheckedEntityMapping) throws -> EntityDescription? {
    try running().work(named: mapping.name).source?.entity
  }

  /// The destination's entity of an entity mapping; nil for one that leaves objects behind.
  public func destinationEntity(for mapping: CheckedEntityMapping) throws -> EntityDescription? {
    try running().work(named: mapping.name).destination?.entity
  }

  /// The destination objects that an entity mapping made for source objects: in the order of these, without
  /// duplicates. Source objects that it made nothing for drop out.
  ///
  /// - Parameters:
  ///   - name: The entity mapping.
  ///   - sources: The source objects; none yield none, and nil means all of the mapping, for each of which an
  ///     object is made.
  /// - Throws: `migration-failed` with near names for an unknown mapping; `context-mismatch`.
  public func destinationInstances(
    forEntityMappingName name: String, sourceInstances sources: [ManagedObject]?
  ) throws -> [ManagedObject] {
    let run = try running()
    let work = try run.work(named: name)
    let found =
      try sources.map { try run.destinationReferences(of: work, $0) }
      ?? work.associations.distinctDestinations
    return found.map(run.destination.object)
  }

  /// The source objects for which an entity mapping made destination objects, in the same way.
  ///
  /// - Parameters:
  ///   - name: The entity mapping.
  ///   - destinations: The destination objects; none yield none, nil means all of the mapping.
  /// - Throws: As ``destinationInstances(forEntityMappingName:sourceInstances:)``.
  public func sourceInstances(
    forEntityMappingName name: String, destinationInstances destinations: [ManagedObject]?
  ) throws -> [ManagedObject] {
    let run = try running()
    let work = try run.work(named: name)
    let found =
      try destinations.map { try run.sourceReferences(of: work, $0) } ?? work.associations.distinctSources
    return found.map(run.source.object)
  }

  /// Notes that a destination object was made for a source object, so that look-ups know it and it gets
  /// ``EntityMigrationPolicy/createRelationships(forDestination:in:manager:)``.
  ///
  /// The base policy does so for what it makes. An object without a permanent identifier gets one.
  ///
  /// - Throws: `context-mismatch` for objects of other contexts.
  public func associate(
    sourceInstance source: ManagedObject, withDestinationInstance destination: ManagedObject,
    for mapping: CheckedEntityMapping
  ) throws {
    let run = try running()
    try run.associate(source, destination, run.work(named: mapping.name))
  }
}
