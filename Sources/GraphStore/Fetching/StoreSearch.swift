import GraphStorePredicates

/// Search of one store on behalf of a request, with the work of memory on each row returned.
struct StoreSearch {
  let mount: Mount
  /// The request to the store, without an offset; its limit leaves room for the rows that are skipped.
  let request: StoreRequest
  let plan: any StoreFetchPlan
  /// The part of the predicate that memory evaluates; nil where the store evaluates all of it.
  let residual: QueryPredicate?
  /// Whether rows are in the order of the request.
  let isOrdered: Bool
  /// After how many rows that belong no more are read; 0 for all.
  var end: Int
  /// The keys of rows that are passed over: memory has what has become of them.
  let skipped: Set<Int64>

  /// Whether every row returned belongs to the answer.
  private var takesAll: Bool {
    residual == nil && skipped.isEmpty && (end == 0 || plan.isWindowedByStore)
  }

  /// Whether code of the program may run while rows are read.
  var runsCallbacks: Bool { residual != nil || !isOrdered }

  /// Hands over the rows that belong to the answer, by the few dozen, and stops reading once there are
  /// enough.
  func run(_ reading: StoreReading, _ receive: (inout RowBatch) throws -> Void) throws {
    if takesAll { return try plan.rows(receive) }
    let filter = try residual.map { try ResidualFilter($0, of: request, in: reading) }
    var count = 0
    var waiting: [KeyedRow] = []
    func judge() throws {
      try filter?.prefetch(of: waiting)
      var accepted = RowBatch()
      for row in waiting where end == 0 || count < end {
        if let filter, !(try filter.accepts(row)) { continue }
        if accepted.isFull {
          try receive(&accepted)
          accepted = RowBatch()
        }
        accepted.append(row.key, row.row.block, row.row.index)
        count += 1
      }
      if accepted.count > 0 { try receive(&accepted) }
      waiting.removeAll(keepingCapacity: true)
      if end > 0, count >= end { throw WindowIsFull() }
    }
    do {
      try plan.rows { batch in
        batch.forEach { key, row in
          if !skipped.contains(key) { waiting.append(KeyedRow(key: key, row: row)) }
        }
        if waiting.count >= filter?.prefetchedCount ?? 0 { try judge() }
      }
      try judge()
    } catch is WindowIsFull {
      // All that was wanted has been handed over.
    }
    if let residual { SQLLogRequest.note(inMemory: residual) }
  }

  /// Ends a statement of which no more rows are wanted.
  private struct WindowIsFull: Error {}
}

/// Filters rows by a residual predicate, without objects.
private final class ResidualFilter {
  private let evaluator: PredicateEvaluator
  private let reading: StoreReading
  private let paths: RelationshipPaths
  private var record: StoredRecord?
  private var count = 0
  /// For how many rows at least what they lead to is read together.
  private(set) var prefetchedCount: Int

  init(_ predicate: QueryPredicate, of request: StoreRequest, in reading: StoreReading) throws {
    var options = request.evaluation
    let context = reading.context
    options.check = { try context.checkInterruption() }
    evaluator = try PredicateEvaluator(predicate, options: options)
    self.reading = reading
    let entity = try context.coordinator.layout.entity(named: request.entityName).entity
    paths = RequestDependencies(entity, predicate).paths
    prefetchedCount = paths.isEmpty ? 0 : RelationshipPaths.firstRecords
  }

  /// Reads what rows lead to; they are judged next.
  func prefetch(of rows: [KeyedRow]) throws {
    if paths.isEmpty || rows.isEmpty { return }
    try reading.prefetch(paths, of: rows)
    prefetchedCount = RelationshipPaths.nextRecords(
      after: prefetchedCount, withDestinations: reading.destinationCount)
  }

  func accepts(_ row: KeyedRow) throws -> Bool {
    count += 1
    if count & 0xFF == 0 { try reading.context.checkInterruption() }
    // The last one is hardly ever retained.
    if isKnownUniquelyReferenced(&record) {
      record?.become(row.key, row.row)
    } else {
      record = StoredRecord(in: reading, key: row.key, row: row.row)
    }
    guard let record else { return false }
    return try reading.context.readingStoredValues { try evaluator.evaluate(record) }
  }
}

extension ManagedObjectContext {
  /// Searches of each store where the answer is merged in memory: from several stores, from rows that memory
  /// filters or sorts, from unsaved changes.
  ///
  /// - Parameter wholeRows: Whether rows are wanted with all that they hold; else with the properties that
  ///   memory has to read.
  func searches(
    _ prepared: PreparedFetch, on mounts: [Mount], with reader: RequestReader, wholeRows: Bool,
    _ correction: PendingCorrection?
  ) throws -> [StoreSearch] {
    let comparesKeys =
      !prepared.request.sortDescriptors.isEmpty
      && (mounts.count > 1 || correction?.candidates.isEmpty == false)
    return try mounts.map { mount in
      try search(
        prepared, on: mount, by: { try reader.plan($0, on: mount.index) }, wholeRows: wholeRows,
        comparesKeys: comparesKeys, correction)
    }
  }

  /// Function that makes plans of one store.
  typealias Planning = (StoreRequest) throws -> any StoreFetchPlan

  /// The search of one store.
  ///
  /// - Parameter comparesKeys: Whether memory compares the results by the sort descriptors.
  func search(
    _ prepared: PreparedFetch, on mount: Mount, by plan: Planning, wholeRows: Bool,
    comparesKeys: Bool = false, _ correction: PendingCorrection?
  ) throws -> StoreSearch {
    let skipped = correction?.uncertainKeys[mount.index] ?? []
    return correction?.dependsOnOthers == true
      ? try fullSearch(prepared, on: mount, by: plan, wholeRows: wholeRows, skipping: skipped)
      : try windowSearch(
        prepared, on: mount, by: plan, wholeRows: wholeRows, comparesKeys: comparesKeys,
        skipping: skipped)
  }

  /// Asks for what the store can answer: its result up to the end of the window, and as many rows more as are
  /// passed over (FET-055).
  private func windowSearch(
    _ prepared: PreparedFetch, on mount: Mount, by plan: Planning, wholeRows: Bool,
    comparesKeys: Bool, skipping skipped: Set<Int64>
  ) throws -> StoreSearch {
    var request = prepared.request.storeRequest(wholeRows ? .rows : .partialRows([]))
    let end = prepared.windowEnd
    let (limit, isBeyond) = end.addingReportingOverflow(skipped.count)
    request.fetchOffset = 0
    request.fetchLimit = end == 0 || isBeyond ? 0 : limit
    var planned = try plan(request)
    if !wholeRows, comparesKeys || planned.residual != nil || !planned.isSortedByStore {
      request.output = partialRows(prepared)
      planned = try plan(request)
    }
    // Without descriptors a store orders for the sake of its own window alone.
    let isOrdered = planned.isSortedByStore && (!request.sortDescriptors.isEmpty || request.fetchLimit > 0)
    let isInOrder = isOrdered || !prepared.isOrdered
    return StoreSearch(
      mount: mount, request: request, plan: planned, residual: planned.residual, isOrdered: isInOrder,
      end: isInOrder ? end : 0, skipped: skipped)
  }

  /// Asks for all of the entity, which memory filters: others than those that changed may belong to the
  /// answer, or not any more.
  private func fullSearch(
    _ prepared: PreparedFetch, on mount: Mount, by plan: Planning, wholeRows: Bool,
    skipping skipped: Set<Int64>
  ) throws -> StoreSearch {
    if prepared.request.inMemoryEvaluation == .refused {
      // A request that the store cannot run is refused whether or not changes make memory filter this time
      // (FET-018).
      _ = try plan(prepared.request.storeRequest(.identifiers))
    }
    var request = prepared.request.storeRequest(wholeRows ? .rows : partialRows(prepared))
    request.predicate = nil
    request.sortDescriptors = []
    request.fetchLimit = 0
    request.fetchOffset = 0
    return StoreSearch(
      mount: mount, request: request, plan: try plan(request),
      residual: prepared.request.predicate, isOrdered: !prepared.isOrdered, end: 0, skipped: skipped)
  }

  /// Rows with the properties that a request reads (FET-139).
  private func partialRows(_ prepared: PreparedFetch) -> StoreRequest.Output {
    let reach = RequestDependencies(prepared.request, of: prepared.entity.entity)
    return reach.isUnbounded ? .rows : .partialRows(reach.own)
  }
}
