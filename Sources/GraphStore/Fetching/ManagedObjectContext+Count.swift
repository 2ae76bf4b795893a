import GraphStorePredicates

/// Counts: stores count what they can, and memory what it has to filter.
extension ManagedObjectContext {
  /// The number of results of a request, of any type; without unsaved changes one statement that reads no
  /// row.
  ///
  /// For a request for dictionaries that groups, or wants distinct ones, these are counted, for any other the
  /// objects. Since no row is read, one that damage has made unreadable counts, and a fetch of it throws
  /// `store-corrupt`.
  public func count<Object>(for request: FetchRequest<Object>) throws -> Int {
    checkQueue()
    let request = try named(request)
    if request.resultType == .dictionary {
      return try counting(request, as: .count, objects: \.self) { try resultCount(for: request) }
    }
    try checkGrouping(of: request)
    return try counting(request, as: .count, objects: \.self) { try storedCount(for: prepare(request)) }
  }

  func storedCount(for prepared: PreparedFetch) throws -> Int {
    try route(of: prepared).answer(
      byStore: { try storedCount(prepared.request, on: $0) },
      inMemory: { try mergedCount(prepared, $0, $1) })
  }

  /// The number of results, without objects of rows (FET-137): stores count what they can, and memory the
  /// rows that it has to filter.
  func mergedCount(
    _ prepared: PreparedFetch, _ mounts: [Mount], _ correction: PendingCorrection?
  ) throws -> Int {
    var all = prepared
    all.request.sortDescriptors = []
    all.request.fetchLimit = 0
    all.request.fetchOffset = 0
    var count = try matches(among: correction, all.request).count
    let end = prepared.windowEnd
    for mount in mounts where end == 0 || count < end {
      if correction?.dependsOnOthers != true,
        let stored = try storedCount(all, on: mount, without: correction?.uncertainKeys[mount.index] ?? [])
      {
        count += stored
        continue
      }
      try reading(runsCallbacks: true) { reader in
        var search = try search(
          all, on: mount, by: { try reader.plan($0, on: mount.index) }, wholeRows: false, correction)
        if end > 0 { search.end = end - count }
        try search.run(StoreReading(self, mount.index, reader)) { count += $0.count }
      }
    }
    return prepared.windowed(count)
  }

  /// The count of a store without some of its records; nil where memory has to filter them.
  private func storedCount(
    _ prepared: PreparedFetch, on mount: Mount, without keys: Set<Int64>
  ) throws -> Int? {
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
    return try storedCount(request, on: mount)
  }

  /// The number of records that a store counts, in any order; nil where memory has to filter its records.
  func storedCount(_ request: FetchRequest<ManagedObject>, on mount: Mount) throws -> Int? {
    try readingPlanned(request.storeRequest(.count), from: mount, where: { $0.residual == nil }) { plan, _ in
      try plan.count()
    }
  }
}
