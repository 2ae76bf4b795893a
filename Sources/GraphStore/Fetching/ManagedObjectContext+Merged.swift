import GraphStorePredicates

/// Answers that are put together in memory.
extension ManagedObjectContext {
  /// The objects of a request, of several stores, of rows that memory judges or sorts, of unsaved changes.
  func mergedObjects(
    _ prepared: PreparedFetch, _ mounts: [Mount], _ correction: PendingCorrection?
  ) throws -> [ManagedObject] {
    return try reading(runsCallbacks: runsCallbacks(prepared, mounts, correction)) { reader in
      let searches = try searches(prepared, on: mounts, with: reader, wholeRows: true, correction)
      let objects = try mergedFetch(
        prepared, by: searches, correction, with: reader, { try materialize($0, $1, $2) }, { $0 })
      try prefetch(prepared.request.relationshipKeyPathsForPrefetching, of: objects, with: reader)
      return objects
    }
  }

  /// Whether code of the program may run while objects are put together: what is filtered, or compared, in
  /// memory may have to read more.
  private func runsCallbacks(
    _ prepared: PreparedFetch, _ mounts: [Mount], _ correction: PendingCorrection?
  ) throws -> Bool {
    if correction != nil || coordinator.hasClasses || mounts.count < 2 { return true }
    if !prepared.request.sortDescriptors.isEmpty { return true }
    return try planning { reader in
      try searches(prepared, on: mounts, with: reader, wholeRows: true, correction)
        .contains(where: \.runsCallbacks)
    }
  }

  private func materialize(
    _ search: StoreSearch, _ reading: StoreReading, _ note: (RowBatch) -> Void
  ) throws -> [ManagedObject] {
    var materializer = ObjectMaterializer(self, storeIndex: reading.storeIndex)
    try search.run(reading) { batch in
      note(batch)
      try materializer.take(batch, from: reading.session.origin)
    }
    return materializer.consumeObjects()
  }

  /// The identifiers of a request; no object is made of a row.
  ///
  /// - Parameter reader: What is read with; by default a reader of its own.
  func mergedIdentifiers(
    _ prepared: PreparedFetch, _ mounts: [Mount], _ correction: PendingCorrection?,
    with reader: RequestReader? = nil
  ) throws -> [ManagedObjectID] {
    try reading(with: reader) { reader in
      let searches = try searches(prepared, on: mounts, with: reader, wholeRows: false, correction)
      return try mergedFetch(
        prepared, by: searches, correction, with: reader,
        { search, reading, note in try records(search, reading, note) { id, _ in id } }, \.objectID)
    }
  }

  /// The identifiers of a request, with the rows of what was not changed.
  ///
  /// - Parameters:
  ///   - reader: What is read with; by default a reader of its own.
  ///   - receive: Takes them, while what the rows were read with is still reading.
  func mergedRows<Result>(
    _ prepared: PreparedFetch, _ mounts: [Mount], _ correction: PendingCorrection?,
    with reader: RequestReader? = nil, _ receive: ([IdentifiedRow], RequestReader) throws -> Result
  ) throws -> Result {
    try reading(with: reader) { reader in
      let searches = try searches(prepared, on: mounts, with: reader, wholeRows: true, correction)
      let rows = try mergedFetch(
        prepared, by: searches, correction, with: reader,
        { search, reading, note in try records(search, reading, note) { IdentifiedRow(id: $0, row: $1) } },
        { IdentifiedRow(id: $0.objectID, row: nil) })
      return try receive(rows, reader)
    }
  }

  private func reading<Result>(
    with reader: RequestReader?, _ body: (RequestReader) throws -> Result
  ) throws -> Result {
    if let reader { return try body(reader) }
    return try reading(runsCallbacks: true, body)
  }

  /// The identifier of a record, and its row where a store was asked for it.
  struct IdentifiedRow {
    let id: ManagedObjectID
    let row: Row?
  }

  private func records<Element>(
    _ search: StoreSearch, _ reading: StoreReading, _ note: (RowBatch) -> Void,
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

  /// The answer of a request that no single statement can answer: the stores' answers, filtered and sorted by
  /// memory where they have to be, with unsaved changes, as one sequence (FET-034, FET-048, FET-059), in its
  /// window.
  ///
  /// - Parameters:
  ///   - read: Runs a search, shows each batch of rows to the last parameter before it takes it, and returns
  ///     the wanted elements of all.
  ///   - element: What is wanted of an object that has changed.
  func mergedFetch<Element>(
    _ prepared: PreparedFetch, by searches: [StoreSearch], _ correction: PendingCorrection?,
    with reader: RequestReader,
    _ read: (StoreSearch, StoreReading, (RowBatch) -> Void) throws -> [Element],
    _ element: (ManagedObject) -> Element
  ) throws -> [Element] {
    let request = prepared.request
    let changed = try matches(among: correction, request)
    let isSorted = !request.sortDescriptors.isEmpty
    let comparesKeys =
      isSorted && (searches.count > 1 || !changed.isEmpty || searches.contains { !$0.isOrdered })
    var found = try MergedRecords<Element>(
      request, of: prepared.entity.entity, comparesKeys: comparesKeys, checking: checkInterruption)
    for search in searches {
      let reading = try StoreReading(self, search.mount.index, reader)
      let elements = try read(search, reading) { found.note($0, reading) }
      try readingStoredValues { try found.add(elements, isOrdered: search.isOrdered) }
      if !isSorted, prepared.windowEnd > 0, found.count >= prepared.windowEnd { break }
    }
    try readingStoredValues {
      if searches.count > 1 { try found.sortByKeys() }
      try found.insert(changed, element)
    }
    return prepared.windowed(found.inOrder)
  }
}
