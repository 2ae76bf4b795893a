import GraphStoreModel

/// Settings of an import as numbers of the model, checked before the first record.
struct ImportRequest {
  let coordinator: PersistentStoreCoordinator
  /// A context of its own, which nothing is saved by.
  let context: ManagedObjectContext
  let layout: EntityLayout
  /// By the name of a relationship: the attribute of the destination that links name.
  let lookups: [String: PropertyLayout]
  /// Whether records say by their identifiers which objects they are.
  let identifiesByObjectID: Bool
  /// The store that the records go to.
  let mount: Mount
  let options: ImportOptions

  /// - Throws: `unknown-entity`, `abstract-entity`; `unknown-key` and `wrong-property-kind` for keys and
  ///   links that there are not; `invalid-request` for a batch without records; `no-store`,
  ///   `read-only-store`.
  init(_ settings: BatchedImporter) throws {
    coordinator = settings.coordinator
    context = ManagedObjectContext(coordinator: coordinator)
    layout = try context.concreteLayout(context.layout(named: settings.entityName))
    let entity = layout.entity
    guard settings.batchSize > 0 else {
      throw GraphStoreError(
        .invalidRequest, "A batch of \(settings.batchSize) records would import nothing.",
        remedy: "Choose a batchSize of at least 1.", entity: entity.name)
    }
    identifiesByObjectID = settings.key == ["objectID"] && layout.property(named: "objectID") == nil
    if !identifiesByObjectID {
      for name in settings.key { _ = try layout.keyAttribute(named: name) }
    }
    var lookups: [String: PropertyLayout] = [:]
    for (name, attribute) in settings.links.sorted(by: { $0.key < $1.key }) {
      guard let property = layout.property(named: name) else { throw layout.unknownKey(name) }
      guard property.relationship >= 0 else {
        throw GraphStoreError(
          .wrongPropertyKind, "\(entity.name).\(name) is no relationship.",
          remedy: "Name a relationship in links.", entity: entity.name, property: name)
      }
      let destination = layout.relationships[property.relationship].destination
      lookups[name] = try coordinator.layout.entities[destination].keyAttribute(named: attribute)
    }
    self.lookups = lookups
    var options = ImportOptions(entities: [entity.index])
    options.key = identifiesByObjectID ? [] : settings.key
    options.identifiesByLabel = identifiesByObjectID
    options.conflictPolicy = settings.key.isEmpty ? .error : settings.conflictPolicy
    options.skipsFailures = settings.errorMode == .skip
    options.findsFirstFailure = settings.errorMode == .stop
    options.referencesAreStored = true
    options.createsLinks = settings.createsLinks
    options.author = settings.author
    mount = try settings.store.map(coordinator.mounted) ?? coordinator.mountForImport(of: entity)
    options.store = coordinator.reference(mount)
    self.options = options
  }

  /// An importer of records of the request.
  ///
  /// - Parameter earlier: the one that has written the others.
  func importer(completesBatches: Bool = false, after earlier: RecordImporter? = nil) throws -> RecordImporter
  {
    var options = options
    options.completesBatches = completesBatches
    let importer = try RecordImporter(coordinator, options, earlier: earlier)
    importer.placeText = { record, _ in "position \(record)" }
    return importer
  }
}

extension PersistentStoreCoordinator {
  /// The first store that holds an entity and can be written.
  fileprivate func mountForImport(of entity: EntityDescription) throws -> Mount {
    let holders = mounts.filter { $0.store.entities.contains(entity) }
    if holders.isEmpty, !mounts.isEmpty { throw noStore(for: entity) }
    return try writableStore(among: holders)
  }
}
