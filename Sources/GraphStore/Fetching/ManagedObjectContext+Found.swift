import GraphStorePredicates

/// Answers that are put together in memory.
extension ManagedObjectContext {
  /// The objects of a request, of several stores, of rows that memory judges or sorts, of unsaved changes.
  func foundObjects(
    _ prepared: PreparedFetch, _ mounts: [Mount], _ correction: PendingCorrection?
  ) throws -> [ManagedObject] {
    let searches = try searches(prepared, on: mounts, wholeRows: true, correction)
    // What is judged, or compared, in memory may have to read more.
    let runsCallbacks =
      correction != nil || coordinator.hasClasses || searches.contains(where: \.runsCallbacks)
      || (searches.count > 1 && !prepared.request.sortDescriptors.isEmpty)
    return try reading(runsCallbacks: runsCallbacks) { reader in
      let objects = try found(
        prepared, by: searches, correction, with: reader, { try materialize($0, $1, $2) }, { $0 })
      try prefetch(prepared.request.relationshipKeyPathsForPrefetching, of: objects, with: reader)
      return objects
    }
  }

  private func materialize(
    _ search: StoreSearch, _ reading: StoreSearch.Reading, _ note: (RowBatch) -> Void
  ) throws -> [ManagedObject] {
    var materializer = ObjectMaterializer(self, storeIndex: reading.storeIndex)
    try search.run(reading) { batch in
      note(batch)
      try materializer.take(batch, from: reading.session.origin)
    }
    return materializer.consumeObjects()
  }

  /// The identifiers of the same; no object is made of a row.
  func foundIdentifiers(
    _ prepared: PreparedFetch, _ mounts: [Mount], _ correction: PendingCorrection?
  ) throws -> [ManagedObjectID] {
    let searches = try searches(prepared, on: mounts, wholeRows: false, correction)
    return try reading(runsCallbacks: true) { reader in
      try found(
        prepared, by: searches, correction, with: reader,
        { search, reading, note in try records(search, reading, note) { id, _ in id } }, \.objectID)
    }
  }

  /// The same, with the rows of what was not changed.
  ///
  /// - Parameter receive: Takes them, while what the rows were read with is still reading.
  func foundRows<Result>(
    _ prepared: PreparedFetch, _ mounts: [Mount], _ correction: PendingCorrection?,
    _ receive: ([IdentifiedRow], RequestReader) throws -> Result
  ) throws -> Result {
    let searches = try searches(prepared, on: mounts, wholeRows: true, correction)
    return try reading(runsCallbacks: true) { reader in
      let rows = try found(
        prepared, by: searches, correction, with: reader,
        { search, reading, note in try records(search, reading, note) { IdentifiedRow(id: $0, row: $1) } },
        { IdentifiedRow(id: $0.objectID, row: nil) })
      return try receive(rows, reader)
    }
  }

  /// The identifier of a record, and its row where a store was asked for it.
  struct IdentifiedRow {
    let id: ManagedObjectID
    let row: Row?
  }

  private func records<Element>(
    _ search: StoreSearch, _ reading: StoreSearch.Reading, _ note: (RowBatch) -> Void,
    _ element: (ManagedObjectID, Row) -> Element
  ) throws -> [Element] {
    var elements: [Element] = []
    try search.run(reading) { batch in
      note(batch)
      batch.forEach { key, row in
        let id = identifier(ObjectKey(entity: row.layout.index, key: key), storeIndex: reading.storeIndex)
        elements.append(element(id, row))
      }
    }
    return elements
  }

  /// How many there are, without objects of rows (FET-137): stores count what they can, and memory what it
  /// has to judge.
  func foundCount(
    _ prepared: PreparedFetch, _ mounts: [Mount], _ correction: PendingCorrection?
  ) throws -> Int {
    var all = prepared
    all.request.sortDescriptors = []
    all.request.fetchLimit = 0
    all.request.fetchOffset = 0
    var count = try matches(among: correction, all.request).count
    for mount in mounts {
      if correction?.reachesOthers != true,
        let stored = try storedCount(all, on: mount, without: correction?.doubtful[mount.index] ?? [])
      {
        count += stored
        continue
      }
      let search = try searches(all, on: [mount], wholeRows: false, correction)[0]
      try readingOnce(from: mount.index, for: .runsCallbacks) { session in
        try search.run(StoreSearch.Reading(self, mount.index, session)) { count += $0.count }
      }
    }
    return prepared.windowed(count)
  }

  /// What a store counts without some of its records; nil where memory has to judge them.
  private func storedCount(_ prepared: PreparedFetch, on mount: Mount, without keys: Set<Int64>) throws
    -> Int?
  {
    var request = prepared.request
    if !keys.isEmpty {
      let references = keys.sorted().map { key in
        Value.object(
          ObjectReference(
            identifier(ObjectKey(entity: prepared.entity.index, key: key), storeIndex: mount.index)))
      }
      let others = QueryPredicate.not(
        .compare(.evaluatedObject, .in, QueryExpression(.constant(.list(references)))))
      request.predicate = .all(of: (request.predicate.map { [$0] } ?? []) + [others])
    }
    let plan = try source.plan(request, .count, on: mount)
    guard plan.residual == nil else { return nil }
    return try readingOnce(from: mount.index) { try $0.count(plan) }
  }
}
