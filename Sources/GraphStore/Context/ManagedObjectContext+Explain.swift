import GraphStoreModel
import GraphStorePredicates

extension ManagedObjectContext {
  /// How a request runs: which part where, the statements, the database's plan, and what would help.
  ///
  /// Nothing is fetched and no statement is counted; the store's objects of the entity are counted, which reads an
  /// index.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - keyPaths: The key paths that ``enumerateFields(_:_:_:)`` would be asked for; nil explains
  ///     ``fetch(_:)->[ManagedObject]``.
  /// - Throws: what ``fetch(_:)->[ManagedObject]`` throws for the request (DGN-082).
  public func explain(_ request: FetchRequest, fields keyPaths: [String]? = nil) throws -> FetchExplanation {
    checkQueue()
    let prepared = try prepare(request)
    guard stores.contains(where: { holds($0, prepared) }) else { return unasked(prepared) }
    var explanation =
      needsCorrection(prepared) || stores.count > 1
      ? try explainMerged(prepared) : try explainOne(prepared, keyPaths)
    if let predicate = prepared.request.predicate {
      let warnings = PredicateTypeChecker(entity: prepared.entity.entity).warnings(in: predicate)
      explanation.notes += warnings.map(\.message)
    }
    let steps = try prefetchSteps(request, prepared.entity)
    for store in stores where holds(store, prepared) {
      for step in steps {
        explanation.statements += try coordinator.locked { try store.prefetchStatements(step) }
      }
    }
    return explanation
  }

  /// The same, and what a run of the request took: the statement alone, then all of it.
  ///
  /// Nothing is changed. The objects are let go at once, and with them what they brought into the row cache; with
  /// unsaved changes it is this context that runs the request, because no other knows them.
  ///
  /// - Throws: what ``fetch(_:)->[ManagedObject]`` throws for the request.
  public func analyze(_ request: FetchRequest, fields keyPaths: [String]? = nil) throws -> FetchExplanation {
    checkQueue()
    var explanation = try explain(request, fields: keyPaths)
    let prepared = try prepare(request)
    let clock = ContinuousClock()
    var read = 0
    let isCorrected = needsCorrection(prepared)
    let storeTime = try clock.measure {
      for store in stores where holds(store, prepared) {
        let plan =
          isCorrected || stores.count > 1
          ? try candidates(of: prepared, in: store).plan
          : try coordinator.locked { try store.plan(prepared.request, .rows) }
        try coordinator.locked { try store.rows(plan) { read += $0.count } }
      }
    }
    var count = 0
    let totalTime = try clock.measure {
      let context = isCorrected ? self : ManagedObjectContext(coordinator: coordinator)
      context.locale = locale
      context.functions = functions
      count = try context.performAndWait { try context.fetch(request).count }
    }
    explanation.rows.read = read
    explanation.rows.returned = count
    explanation.rows.isExact = true
    explanation.analysis = FetchExplanation.Analysis(
      objects: count, storeTime: storeTime, totalTime: max(storeTime, totalTime))
    return explanation
  }

  // MARK: No store, one store

  /// The explanation of a fetch that asks no store.
  private func unasked(_ prepared: PreparedFetch) -> FetchExplanation {
    FetchExplanation(
      entity: prepared.request.entityName, parts: [], statements: [], sort: nil, window: nil,
      rows: FetchExplanation.Rows(read: 0, returned: 0, total: 0, isExact: true), advice: [],
      notes: ["no store holds objects of \(prepared.request.entityName): none of their configurations has it"]
    )
  }

  private func explainOne(_ prepared: PreparedFetch, _ keyPaths: [String]?) throws -> FetchExplanation {
    let store = stores[0]
    return try coordinator.locked {
      guard let keyPaths else {
        return try store.explanation(store.plan(prepared.request, .rows), prepared.request)
      }
      let fields = try store.plan(prepared.request, .fields(keyPaths))
      guard !fields.runsInStore else { return try store.explanation(fields, prepared.request) }
      var explanation = try store.explanation(store.plan(prepared.request, .rows), prepared.request)
      explanation.parts = fields.parts
      return explanation
    }
  }

  // MARK: Several stores, unsaved changes

  /// The explanation of a fetch whose objects are judged in memory: the stores hand over candidates.
  private func explainMerged(_ prepared: PreparedFetch) throws -> FetchExplanation {
    var merged: FetchExplanation?
    for store in stores where holds(store, prepared) {
      let parts = try coordinator.locked { try store.plan(prepared.request, .rows) }.parts
      let part = try candidates(of: prepared, in: store)
      let own = try coordinator.locked { try store.explanation(part.plan, part.request) }
      guard var all = merged else {
        merged = own
        merged?.parts = parts
        continue
      }
      all.statements += own.statements
      all.rows.total += own.rows.total
      all.rows.read = all.rows.read.flatMap { left in own.rows.read.map { left + $0 } }
      all.rows.isExact = all.rows.isExact && own.rows.isExact
      all.advice += own.advice.filter { !all.advice.contains($0) }
      merged = all
    }
    guard var explanation = merged else { throw coordinator.noStore() }
    let reason = needsCorrection(prepared) ? InMemoryReason.unsavedChanges : .severalStores
    let request = prepared.request
    if !request.sortDescriptors.isEmpty { explanation.sort = .memory(reason) }
    if request.fetchLimit > 0 || request.fetchOffset > 0 {
      explanation.window = FetchExplanation.Window(
        limit: request.fetchLimit, offset: request.fetchOffset, reason: reason)
    }
    explanation.rows.returned = nil
    if needsCorrection(prepared) {
      explanation.notes.append(
        "the context has unsaved changes: objects that they touch are judged in memory, whatever the store says"
      )
    }
    return explanation
  }

  // MARK: Prefetching

  /// The relationships that a request's prefetching follows, each once.
  private func prefetchSteps(_ request: FetchRequest, _ entity: EntityLayout) throws -> [RelationshipLayout] {
    var steps: [RelationshipLayout] = []
    for keyPath in request.relationshipKeyPathsForPrefetching {
      var current = entity
      for name in keyPath.split(separator: ".") {
        guard let step = current.relationships.first(where: { $0.description.name == name }) else {
          throw GraphStoreError(
            .unknownKey, "\(current.entity.name) has no relationship \(name) to prefetch.",
            remedy: "Name a relationship of \(current.entity.name).", entity: current.entity.name,
            property: String(name))
        }
        if !steps.contains(where: { $0 === step }) { steps.append(step) }
        current = coordinator.layout.entities[step.destination]
      }
    }
    return steps
  }
}
