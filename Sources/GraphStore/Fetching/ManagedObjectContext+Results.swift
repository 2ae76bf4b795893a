import GraphStoreModel
import GraphStorePredicates

extension ManagedObjectContext {
  /// The results of a request, of the type that it asks for.
  ///
  /// - Throws: as ``fetch(_:)->[ManagedObject]``, ``fetchIdentifiers(_:)``, ``fetchDictionaries(_:)`` and
  ///   ``count(for:)``.
  public func fetchResults<Object>(_ request: FetchRequest<Object>) throws -> FetchResults {
    let request = try named(request)
    return switch request.resultType {
    case .managedObject: .objects(try fetch(request))
    case .managedObjectID: .identifiers(try fetchIdentifiers(request))
    case .dictionary: .dictionaries(try fetchDictionaries(request))
    case .count: .count([try count(for: request)])
    }
  }

  /// The dictionaries that a request selects, in its order.
  ///
  /// They hold what the store has: unsaved changes of the context never enter them, whatever
  /// `includesPendingChanges` says. No object is made, and the row cache is not filled. Grouping and
  /// aggregates run in the store where it can evaluate them exactly, in one statement; else over rows in
  /// memory. ``explain(_:fields:)`` says which.
  ///
  /// - Throws: `result-type-mismatch` for a request of another `resultType`; `invalid-property`,
  ///   `duplicate-result-name`, `group-by-required`, `invalid-having` and `invalid-request` for what is asked
  ///   for; `arithmetic-overflow` for a sum of integers beyond 64 bits; `value-out-of-range` for a value that
  ///   does not fit its result type; and as ``fetch(_:)->[ManagedObject]``.
  public func fetchDictionaries<Object>(_ request: FetchRequest<Object>) throws -> [ResultDictionary] {
    checkQueue()
    let request = try named(request)
    try checkResultType(of: request, is: .dictionary)
    return try counting(request, as: .dictionaries, objects: \.count) {
      let prepared = try prepareResults(request)
      let shape = ResultDictionary.Shape(prepared.query)
      var dictionaries: [ResultDictionary] = []
      try enumerateValues(prepared) { dictionaries.append(ResultDictionary($0, shape)) }
      return dictionaries
    }
  }

  /// Hands over the dictionaries that a request selects one at a time, value by value, so that memory does
  /// not grow with the result where the store computes it.
  ///
  /// - Throws: as ``fetchDictionaries(_:)``, and what the receiver throws.
  public func enumerateResults<Object>(
    _ request: FetchRequest<Object>, _ receive: (any ResultRow) throws -> Void
  ) throws {
    checkQueue()
    let request = try named(request)
    try checkResultType(of: request, is: .dictionary)
    _ = try counting(request, as: .dictionaries, objects: \.self) {
      var count = 0
      try enumerateRows(prepareResults(request)) { row, _ in
        count += 1
        try receive(row)
      }
      return count
    }
  }

  /// Columns of the dictionaries of a request: the names, and the types of the values.
  package func resultColumns(
    of request: FetchRequest<ManagedObject>
  ) throws -> [(name: String, type: ExpressionType, attribute: AttributeDescription?)] {
    checkQueue()
    return try prepareResults(request).query.results.map { result in
      guard let conversion = result.conversion else { return (result.name, result.type, result.attribute) }
      return (result.name, ExpressionType(conversion), nil)
    }
  }

  /// The number of dictionaries that a request selects (FET-106).
  func resultCount(for request: FetchRequest<ManagedObject>) throws -> Int {
    let prepared = try prepareResults(request)
    guard prepared.query.joinsRows else { return try storedCount(for: prepared.fetch) }
    return try route(of: prepared.fetch).answer(
      byStore: { mount in
        let request = prepared.fetch.request.storeRequest(.resultCount(prepared.query))
        return try readingPlanned(request, from: mount) { plan, _ in try plan.count() }
      },
      inMemory: { mounts, _ in
        prepared.fetch.windowed(try evaluation(of: prepared, mounts).count(checking: checkInterruption))
      })
  }

  // MARK: Preparing

  /// A request for dictionaries that has been checked against the model.
  struct PreparedResults {
    /// The rows: predicate and window, without order.
    var fetch: PreparedFetch
    /// The query for the results.
    var query: ResultQuery
  }

  func prepareResults(_ request: FetchRequest<ManagedObject>) throws -> PreparedResults {
    var rows = request
    rows.resultOptions = ResultOptions()
    rows.sortDescriptors = []
    rows.relationshipKeyPathsForPrefetching = []
    rows.includesPendingChanges = false
    var prepared = try prepare(rows)
    prepared.request.resultOptions = request.resultOptions
    var typing = PredicateTypeChecker(entity: prepared.entity.entity) { [coordinator] text in
      coordinator.objectReference(text)
    }
    typing.aggregatesRows = true
    typing.now = prepared.request.now
    typing.functions = functions
    var checker = ResultChecker(request, typing, holds: coordinator.holds)
    let query = try checker.check(
      request.sortDescriptors, isWindowed: request.fetchLimit > 0 || request.fetchOffset > 0)
    return PreparedResults(fetch: prepared, query: query)
  }

  /// - Throws: `result-type-mismatch` where a request asks for another type than a call returns (FET-022);
  ///   `group-by-needs-dictionaries` (FET-098).
  func checkResultType(
    of request: FetchRequest<ManagedObject>, is type: FetchRequestResultType, orDefault: Bool = false
  ) throws {
    try checkGrouping(of: request)
    let found = request.resultType
    guard found != type, !(orDefault && found == .managedObject) else { return }
    throw GraphStoreError(
      .resultTypeMismatch,
      "The request for \(request.entityName) asks for \(found.rawValue) results, and the call returns \(type.rawValue) ones.",
      remedy: "Set resultType to .\(type.rawValue), or run the request with fetchResults.",
      entity: request.entityName)
  }

  /// - Throws: `group-by-needs-dictionaries` (FET-098).
  func checkGrouping(of request: FetchRequest<ManagedObject>) throws {
    let options = request.resultOptions
    guard options.resultType != .dictionary else { return }
    let option: String
    if options.propertiesToGroupBy != nil {
      option = "propertiesToGroupBy"
    } else if options.havingPredicate != nil {
      option = "havingPredicate"
    } else {
      return
    }
    throw GraphStoreError(
      .groupByNeedsDictionaries,
      "The request for \(request.entityName) has a \(option), and groups are dictionaries.",
      remedy: "Set resultType to .dictionary.", entity: request.entityName)
  }

  // MARK: Running

  /// Hands over the values of each result.
  private func enumerateValues(_ prepared: PreparedResults, _ receive: ([Value]) throws -> Void) throws {
    let count = prepared.query.results.count
    try enumerateRows(prepared) { row, scope in
      if let row = row as? ValueResultRow { return try receive(row.values) }
      var collector = ValueCollector(scope)
      try receive((0..<count).map { collector.value(of: row, $0) })
    }
  }

  private func enumerateRows(
    _ prepared: PreparedResults, _ receive: (any ResultRow, StoreIdentity) throws -> Void
  ) throws {
    let query = prepared.query
    let isSimple = !query.joinsRows && query.order.isEmpty && prepared.fetch.request.hasNoWindow
    guard case .stores(let mounts) = route(of: prepared.fetch, inParts: isSimple), !mounts.isEmpty,
      try readStored(prepared, mounts, receive)
    else { return try evaluateResults(prepared, mounts(for: prepared.fetch), receive) }
  }

  /// Hands over the results of the stores' statements; false where memory has to make the results.
  private func readStored(
    _ prepared: PreparedResults, _ mounts: [Mount], _ receive: (any ResultRow, StoreIdentity) throws -> Void
  ) throws -> Bool {
    let query = prepared.query
    let isSingle = query.convertsValues ? query.singlePrecision : []
    return try readingParts(prepared.fetch.request.storeRequest(.results(query)), from: mounts) {
      plan, mount in
      guard query.convertsValues else { return try plan.fields { try receive($0, mount.scope) } }
      var collector = ValueCollector(mount.scope)
      try plan.fields { row in
        let values = try query.results.enumerated().map { try $1.finished(collector.value(of: row, $0)) }
        try receive(ValueResultRow(values: values, isSingle: isSingle), mount.scope)
      }
    }
  }

  /// Makes the results of rows in memory.
  private func evaluateResults(
    _ prepared: PreparedResults, _ mounts: [Mount], _ receive: (any ResultRow, StoreIdentity) throws -> Void
  ) throws {
    if prepared.fetch.request.inMemoryEvaluation == .refused {
      // A request that a store cannot run is refused whether or not memory makes the results (FET-018).
      let request = prepared.fetch.request.storeRequest(.results(prepared.query))
      try planning { reader in for mount in mounts { _ = try reader.plan(request, on: mount.index) } }
    }
    let results = try evaluation(of: prepared, mounts).results(checking: checkInterruption)
    let isSingle = prepared.query.singlePrecision
    for values in prepared.fetch.windowed(results) {
      try receive(
        ValueResultRow(values: values, isSingle: isSingle),
        mounts.first?.scope ?? prepared.fetch.mounts[0].scope)
    }
  }

  /// The rows of the stores, taken in by an evaluation in memory in the order of their keys, by which is
  /// decided what the order of the request leaves open (FET-046, FET-047), and which of equal values stands
  /// for them.
  private func evaluation(of prepared: PreparedResults, _ mounts: [Mount]) throws -> ResultEvaluation {
    var options = prepared.fetch.request.evaluation
    options.check = { [self] in try checkInterruption() }
    var evaluation = try ResultEvaluation(prepared.query, options: options)
    guard !mounts.isEmpty else { return evaluation }
    try reading(runsCallbacks: true) { reader in
      for mount in mounts {
        // Dictionaries have what the store has, in children too.
        let session = try reader.session(mount.index).stored
        let plan = try session.plan(prepared.rows)
        let residual = try plan.residual.map { try PredicateEvaluator($0, options: options) }
        let source = SnapshotRecord.Source(session, coordinator.layout, mount.scope)
        let paths = prepared.paths(residual: plan.residual)
        var records: [SnapshotRecord] = []
        func take() throws {
          try checkInterruption()
          try source.forEach(of: records, prefetching: paths) { record in
            if try residual?.evaluate(record) ?? true { try evaluation.take(.source(record)) }
          }
          records.removeAll(keepingCapacity: true)
        }
        let isDescending = prepared.isDescendingByKey
        try plan.rows { batch in
          batch.forEach { key, row in
            records.append(SnapshotRecord(of: source, layout: row.layout, key: key, row: row))
          }
          if !isDescending, paths.isEmpty || records.count >= RelationshipPaths.mostRecords { try take() }
        }
        if isDescending { records.reverse() }
        try take()
        if let residual = plan.residual { SQLLogRequest.note(inMemory: residual) }
      }
    }
    return evaluation
  }
}

extension ManagedObjectContext.PreparedResults {
  /// The request for the rows of which memory makes the results: all of them, by key.
  var rows: StoreRequest {
    var request = fetch.request.storeRequest(.rows)
    (request.fetchLimit, request.fetchOffset) = (0, 0)
    request.isOrderedByKey = true
    return request
  }

  /// What is followed from the rows where memory makes the results.
  ///
  /// - Parameter predicate: The part of the predicate that memory evaluates.
  fileprivate func paths(residual predicate: QueryPredicate?) -> RelationshipPaths {
    let order = query.leaves.compactMap { leaf in
      if case .sort(let descriptor) = leaf.role { descriptor } else { nil }
    }
    return RequestDependencies(
      fetch.entity.entity, predicate, order, shown: query.leaves.map(\.expression), over: query.expansions
    ).paths
  }

  /// Whether rows that are equal in all that the results are sorted by come in descending order of their
  /// keys: as the last descriptor says, where rows stay rows.
  fileprivate var isDescendingByKey: Bool { query.order.last?.ascending == false && !query.joinsRows }
}

extension FetchRequest {
  /// Whether all results are returned.
  var hasNoWindow: Bool { fetchLimit == 0 && fetchOffset == 0 }
}
