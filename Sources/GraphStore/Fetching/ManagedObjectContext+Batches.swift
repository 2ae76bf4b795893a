import GraphStorePredicates

extension ManagedObjectContext {
  /// The results of a request, loaded in blocks of its batch size as elements are touched.
  ///
  /// One statement runs, which reads no values; each block that is touched costs one more, and those of its
  /// prefetching. A request without a batch size has one block. Sorting or filtering the results realises
  /// every element.
  ///
  /// - Throws: `result-type-mismatch` where a result is not of the request's class; and as
  ///   ``fetch(_:)->[ManagedObject]``.
  public func fetchBatched<Object>(_ request: FetchRequest<Object>) throws -> BatchedResults<Object> {
    checkQueue()
    let request = try named(request)
    try checkResultType(of: request, is: .managedObject)
    let batches = try counting(request, as: .identifiers, objects: \.count) {
      let prepared = try prepare(request)
      return try self.batches(of: prepared, for: Object.self)
    }
    return BatchedResults(batches)
  }

  private func batches<Object: ManagedObject>(
    of prepared: PreparedFetch, for type: Object.Type
  ) throws -> ObjectBatches {
    let identifiers = try identifiers(for: prepared)
    var records = RecordList()
    records.reserveCapacity(identifiers.count)
    var unsaved: [Int: ManagedObject] = [:]
    let mounts = mounts(for: prepared)
    for (position, id) in identifiers.enumerated() {
      let known = id.isTemporaryID ? try object(with: id) : nil
      if let known { unsaved[position] = known }
      let index = known?.storeIndex ?? mounts.first { $0.scope === id.scope }?.index ?? 0
      records.append(entity: id.entityIndex, key: id.key, store: index)
    }
    for entity in records.entities { try checkClass(of: coordinator.layout.entities[entity], is: type) }
    return ObjectBatches(self, prepared.request, records, unsaved: unsaved)
  }

  private func checkClass<Object: ManagedObject>(of layout: EntityLayout, is type: Object.Type) throws {
    try checkClass(layout.index)
    let found = coordinator.objectClass(layout)
    guard !(found is Object.Type) else { return }
    throw GraphStoreError(
      .resultTypeMismatch, "Objects of \(layout.entity.name) are instances of \(found), not of \(type).",
      remedy: "Name \(type) as the className of \(layout.entity.name) and give it to the coordinator.",
      entity: layout.entity.name)
  }

  /// The objects of a block of a batched result, with their rows in memory (FET-144, FET-145).
  func loadBlock(
    _ records: RecordList, _ positions: Range<Int>, _ unsaved: [Int: ManagedObject],
    _ request: FetchRequest<ManagedObject>
  ) throws -> [ManagedObject] {
    try counting(request, as: .objects, objects: \.count) {
      let saved = Dictionary(grouping: positions.filter { unsaved[$0] == nil }, by: records.storeIndex)
      return try reading(runsCallbacks: coordinator.hasClasses) { reader in
        var read: [ManagedObject] = []
        for (index, positions) in saved { read += try self.read(records, positions, index, with: reader) }
        let objects = positions.map { position in
          if let known = unsaved[position] { return known }
          let reference = records.reference(position)
          return fault(
            coordinator.layout.entities[reference.entity], key: reference.key,
            storeIndex: records.storeIndex(position))
        }
        withExtendedLifetime(read) {}
        try prefetch(request.relationshipKeyPathsForPrefetching, of: objects, with: reader)
        try completeFetched(objects, request)
        return objects
      }
    }
  }

  private func read(
    _ records: RecordList, _ positions: [Int], _ storeIndex: Int32, with reader: RequestReader
  ) throws -> [ManagedObject] {
    guard let first = positions.first else { return [] }
    let root = coordinator.layout.entities[
      coordinator.layout.entities[records.reference(first).entity].rootIndex]
    let session = try reader.session(storeIndex)
    var materializer = ObjectMaterializer(self, storeIndex: storeIndex)
    try session.rows(root, keys: positions.map { records.reference($0).key }) { batch in
      try materializer.take(batch, from: session.origin)
    }
    return materializer.consumeObjects()
  }

  /// The row of a fault of a batched list, which is read with those of the faults around it (FET-147); nil
  /// where the fault is in none, or its record is gone.
  func batchedRow(for fault: ManagedObject) throws -> Row? {
    guard let (objects, keyPaths) = fetching.faultBatches.block(around: fault) else { return nil }
    try loadRows(of: objects)
    if !keyPaths.isEmpty {
      try reading(runsCallbacks: coordinator.hasClasses) { try prefetch(keyPaths, of: objects, with: $0) }
    }
    return fault.currentRow
  }
}
