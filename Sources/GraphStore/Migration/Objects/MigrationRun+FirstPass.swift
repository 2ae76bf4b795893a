import GraphStoreModel
import GraphStorePredicates

/// First pass: objects and their attributes, mapping by mapping (MIG-184, MIG-212).
extension MigrationRun {
  func runFirstPass(_ works: [MappingWork]) throws {
    for work in works {
      try calling("begin(_:with:)", work) { try work.policy.begin(work.mapping, with: manager) }
      if work.takesObjects { try makeInstances(work) }
      try calling("endInstanceCreation(forMapping:manager:)", work) {
        try work.policy.endInstanceCreation(forMapping: work.mapping, manager: manager)
      }
      if !work.isPlain { try commitBatch() }
      manager.log.write(
        .mappings, "  \(work.mapping.name): \(work.sourceCount) taken, \(work.associations.count) associated")
    }
  }

  private func makeInstances(_ work: MappingWork) throws {
    guard let source = work.source else { return }
    let keys = try sourceKeys(work)
    work.associations.reserveCapacity(keys.count)
    if work.isPlain, work.destination?.entity.isAbstract == true { return refuseAbstract(keys, work) }
    for start in stride(from: 0, to: keys.count, by: manager.batchSize) {
      let batch = keys[start..<min(start + manager.batchSize, keys.count)]
      try makeInstances(batch.lazy.map { PackedReference(entity: source.index, key: $0) }, work)
      try commitBatch(work)
      try endBatch(units: batch.count)
    }
  }

  /// The keys of the source objects that a mapping takes: exactly those of its entity (MIG-156, MIG-157).
  private func sourceKeys(_ work: MappingWork) throws -> [Int64] {
    guard let source = work.source else { return [] }
    let request = FetchRequest<ManagedObject>(
      entityName: source.entity.name, predicate: work.mapping.filter, includesSubentities: false)
    return try self.source.context.fetchIdentifiers(request).map(\.key)
  }

  private func makeInstances(_ references: some Sequence<PackedReference>, _ work: MappingWork) throws {
    let objects = try source.loadedObjects(references)
    workInHand = work
    if work.isPlain { return try insertRows(of: objects, work) }
    for object in objects {
      inHand = object
      try calling("createDestinationInstances(forSource:in:manager:)", work) {
        try work.policy.createDestinationInstances(forSource: object, in: work.mapping, manager: manager)
      }
    }
    inHand = nil
  }

  /// Objects of an entity that cannot have any now.
  private func refuseAbstract(_ keys: [Int64], _ work: MappingWork) {
    guard let source = work.source else { return }
    for key in keys {
      let id = self.source.identifier(PackedReference(entity: source.index, key: key))
      findings.add(.abstractEntity, entity: work.mapping.destination, property: nil, id)
    }
  }

  // MARK: By rows

  private func insertRows(of objects: [ManagedObject], _ work: MappingWork) throws {
    guard let layout = work.destination, let attributes = work.attributes else { return }
    let session = try session()
    var block = RowBlock(layout: layout, capacity: RowBlock.capacity)
    var insertions: [SaveRequest.Insertion] = []
    insertions.reserveCapacity(objects.count)
    for object in objects {
      guard let values = object.currentRow else { continue }
      if !block.hasRoom { block = RowBlock(layout: layout, capacity: RowBlock.capacity) }
      let row = Row(block: block, index: block.appendDefaults())
      work.scope.source = .source(object)
      inHand = object
      try attributes.fill(row, from: values, { object.objectID }, findings)
      let key = try keys.key(keeping: object.key, layout, mayKeep: true, session)
      insertions.append(SaveRequest.Insertion(row: row, key: key))
      work.associations.add(PackedReference(object), PackedReference(entity: layout.index, key: key))
    }
    work.scope.source = .null
    inHand = nil
    try insert(insertions, objects, layout)
  }

  private func insert(
    _ insertions: [SaveRequest.Insertion], _ objects: [ManagedObject], _ layout: EntityLayout
  ) throws {
    let session = try session()
    var request = SaveRequest()
    request.insertions = insertions
    guard !layout.uniquenessConstraints.isEmpty else { return try session.writeRows(request) }
    do {
      try attempt(request, session)
    } catch GraphStoreError.code(.constraintConflict) {
      // The migration fails; how many objects collide is found by writing them one by one.
      for (insertion, object) in zip(insertions, objects) {
        request.insertions = [insertion]
        do { try attempt(request, session) } catch let error as GraphStoreError
          where error.code == .constraintConflict
        {
          addDuplicate(error, object, layout)
        }
      }
    }
  }

  /// Writes all of a request or nothing.
  private func attempt(_ request: SaveRequest, _ session: any WriteSession) throws {
    try session.setSavepoint()
    do { try session.writeRows(request) } catch {
      try session.rollbackToSavepoint()
      throw error
    }
    try session.releaseSavepoint()
  }

  private func addDuplicate(_ error: GraphStoreError, _ object: ManagedObject, _ layout: EntityLayout) {
    let names =
      layout.uniquenessConstraints.map(\.names).first { $0.contains(error.property ?? "") }
      ?? [error.property].compactMap(\.self)
    findings.add(
      .duplicate(names), entity: layout.entity, property: names.joined(separator: ", "), object.objectID)
  }

  /// The error of a save of objects that policies have made.
  func duplicate(_ cause: any Error) -> GraphStoreError {
    let error = cause as? GraphStoreError
    var failure = GraphStoreError(
      .migrationConstraint, error?.message ?? "\(cause)",
      remedy: "Let the policy make objects with different values, or find the one that is there.",
      entity: error?.entity, property: error?.property, objectID: error?.objectID, underlying: cause)
    failure.details = error?.details ?? []
    return failure
  }

  // MARK: By objects

  /// Makes one destination object for a source object, with its attributes; what the base policy does
  /// (MIG-186).
  func makeInstance(of object: ManagedObject, in mapping: CheckedEntityMapping) throws {
    let work = try work(named: mapping.name)
    guard let layout = work.destination, let attributes = work.attributes else { return }
    guard !layout.entity.isAbstract else {
      findings.add(.abstractEntity, entity: layout.entity, property: nil, object.objectID)
      return
    }
    try object.realize()
    guard let values = object.currentRow else { return }
    let reference = PackedReference(object)
    var isFirst = object.layout === work.source
    work.associations.forEachDestination(of: reference) { made in isFirst = isFirst && made.key != object.key
    }
    let key = try keys.key(keeping: object.key, layout, mayKeep: isFirst, session())
    let made = destination.context.insert(layout, key: key, storeIndex: destination.mount.index)
    guard let block = made.block else { return }
    work.scope.source = .source(object)
    defer { work.scope.source = .null }
    let row = Row(block: block, index: Int(made.rowIndex))
    try attributes.fill(row, from: values, { object.objectID }, findings)
    work.associations.add(reference, PackedReference(entity: layout.index, key: key))
    describe(made, of: object, work)
  }

  /// Logs an object that a policy has made.
  func describe(_ made: ManagedObject, of object: ManagedObject, _ work: MappingWork) {
    manager.log.write(
      .statements,
      "  \(work.mapping.name): \(type(of: work.policy)) made \(made) of \(object.objectID.shortForm)")
  }

  // MARK: Between hooks

  /// Calls a hook of a policy.
  ///
  /// - Throws: `migration-policy` with the mapping and the hook for what the hook throws (MIG-195); failures
  ///   of the migration itself as they are.
  func calling(_ hook: String, _ work: MappingWork, _ body: () throws -> Void) throws {
    current = work
    defer { current = nil }
    if work.isPlain { return try body() }
    do { try body() } catch let error as GraphStoreError where error.isOfMigration {
      throw error
    } catch {
      throw GraphStoreError(
        .migrationPolicy, "\(work.mapping.name): \(hook) of \(type(of: work.policy)) failed: \(error)",
        remedy: "Correct the policy, or the objects that it meets; the store is as it was.",
        entity: work.mapping.destination?.name ?? work.mapping.source?.name, underlying: error)
    }
  }

  /// Ends a batch of source objects.
  private func commitBatch(_ work: MappingWork) throws {
    if !work.isPlain { try saveDestination() }
    try source.releaseObjects()
  }

  /// Saves what hooks have changed, and releases all objects without a reference.
  func commitBatch() throws {
    try saveDestination()
    try source.releaseObjects()
  }
}

extension GraphStoreError {
  /// Whether it is a failure of the migration itself, with words of its own.
  fileprivate var isOfMigration: Bool {
    [.migrationFailed, .migrationConstraint, .migrationCancelled, .migrationPolicy].contains(code)
  }
}
