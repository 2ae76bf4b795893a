import GraphStoreModel
import GraphStorePredicates

extension ManagedObjectContext {
  /// Explains how a request runs: which part where, the statements, the database's plan, and advice.
  ///
  /// Nothing is fetched and no statement is counted; the store's objects of the entity are counted, which
  /// reads an index.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - keyPaths: The fields that ``enumerateFields(_:keyPaths:_:)`` would be asked for; nil explains
  ///     ``fetch(_:)->[ManagedObject]``.
  /// - Throws: what ``fetch(_:)->[ManagedObject]`` throws for the request.
  public func explain<Object>(
    _ request: FetchRequest<Object>, fields keyPaths: [String]? = nil
  ) throws -> FetchExplanation {
    checkQueue()
    let request = try named(request)
    return try readingFromSource {
      if request.resultType == .dictionary { return try explainResults(request) }
      return try explainObjects(request, keyPaths)
    }
  }

  private func explainObjects(
    _ request: FetchRequest<ManagedObject>, _ keyPaths: [String]?
  ) throws -> FetchExplanation {
    let prepared = try prepare(request)
    let mounts = mounts(for: prepared)
    let fields = try keyPaths.map { try requestedFields($0, request, prepared) }
    guard let first = mounts.first else { return unasked(prepared) }
    let readsFields = try fields.map { try areReadByStores($0, prepared) } ?? false
    var explanation =
      needsCorrection(prepared) || mounts.count > 1
      ? try explainMerged(prepared, mounts)
      : try explainOne(prepared, on: first, fields, readsFields: readsFields)
    if let predicate = prepared.request.predicate {
      let warnings = PredicateTypeChecker(entity: prepared.entity.entity).warnings(in: predicate)
      explanation.notes += warnings.map(\.message)
    }
    explanation.notes += notes(on: fields, request, readsFields: readsFields)
    let steps = readsFields ? [] : try prefetchSteps(request, prepared.entity)
    for mount in mounts where !steps.isEmpty {
      explanation.statements += try explaining(mount) { session in
        try steps.flatMap { try session.prefetchStatements($0) }
      }
    }
    return explanation
  }

  /// As ``explain(_:fields:)``, and what a run of the request took: the statement alone, then all of it.
  ///
  /// Nothing is changed. The objects are released at once, and with them their rows in the row cache; with
  /// unsaved changes it is this context that runs the request, because no other knows them.
  ///
  /// - Throws: what ``fetch(_:)->[ManagedObject]`` throws for the request.
  public func analyze<Object>(
    _ request: FetchRequest<Object>, fields keyPaths: [String]? = nil
  ) throws -> FetchExplanation {
    checkQueue()
    let request = try named(request)
    if request.resultType == .dictionary { return try analyzeResults(request) }
    var explanation = try explain(request, fields: keyPaths)
    let prepared = try prepare(request)
    let clock = ContinuousClock()
    var read = 0
    var isCorrected = false
    let storeTime = try clock.measure {
      try reading { reader in
        let mounts = mounts(for: prepared)
        let correction = correction(of: prepared)
        isCorrected = correction != nil
        let plans =
          isCorrected || mounts.count > 1
          ? try searches(prepared, on: mounts, with: reader, wholeRows: true, correction).map(\.plan)
          : try mounts.map { try reader.plan(prepared.request.storeRequest(.rows), on: $0.index) }
        for (mount, plan) in zip(mounts, plans) {
          _ = try reader.session(mount.index)
          try plan.rows { read += $0.count }
        }
      }
    }
    var count = 0
    let totalTime = try clock.measure {
      let context =
        isCorrected ? self : ManagedObjectContext(source, .ofItsOwn, isGuarded: ConcurrencyGuard.isOn)
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
  func unasked(_ prepared: PreparedFetch) -> FetchExplanation {
    FetchExplanation(
      entity: prepared.request.entityName, parts: [], statements: [], sort: nil, window: nil,
      rows: FetchExplanation.Rows(read: 0, returned: 0, total: 0, isExact: true), advice: [],
      notes: ["no store holds objects of \(prepared.request.entityName): none of their configurations has it"]
    )
  }

  private func explainOne(
    _ prepared: PreparedFetch, on mount: Mount, _ fields: RequestedFields?, readsFields: Bool
  ) throws -> FetchExplanation {
    let output: StoreRequest.Output = prepared.request.resultType == .count ? .count : .rows
    return try reading { reader in
      let session = try reader.session(mount.index)
      func plan(_ output: StoreRequest.Output) throws -> any StoreFetchPlan {
        try session.plan(prepared.request.storeRequest(output))
      }
      guard let fields else { return try plan(output).explanation() }
      let ofFields = try plan(.fields(fields.paths))
      if readsFields { return try ofFields.explanation() }
      var explanation = try plan(output).explanation()
      explanation.parts = ofFields.parts
      return explanation
    }
  }

  /// Whether stores read fields of a request without objects being made.
  private func areReadByStores(_ fields: RequestedFields, _ prepared: PreparedFetch) throws -> Bool {
    guard let mounts = mountsOfFields(prepared, fields) else { return false }
    let request = prepared.request.storeRequest(.fields(fields.paths))
    return try planning { reader in
      try mounts.allSatisfy { try reader.plan(request, on: $0.index).runsInStore }
    }
  }

  /// Notes on fields that are computed, and on prefetching that they do not need.
  private func notes(
    on fields: RequestedFields?, _ request: FetchRequest<ManagedObject>, readsFields: Bool
  ) -> [String] {
    var notes = (fields?.computedTexts ?? []).map { text in
      "\(text) is computed of \(readsFields ? "what the statement reads" : "objects")"
    }
    if readsFields, !request.relationshipKeyPathsForPrefetching.isEmpty {
      notes.append(
        "nothing is prefetched: no object is made, and the fields are read by the statement itself")
    }
    return notes
  }

  /// Asks a store how relationships are prefetched.
  private func explaining<Result>(
    _ mount: Mount, _ body: (any ExplainingSession) throws -> Result
  ) throws -> Result {
    try reading { reader in
      guard let session = try reader.session(mount.index) as? any ExplainingSession else {
        throw GraphStoreError(
          .notSupported, "\(mount.store.path) does not say how requests run.",
          remedy: "Explain the request on a store that can.")
      }
      return try body(session)
    }
  }

  // MARK: Several stores, unsaved changes

  /// The explanation of a fetch whose answer is put together in memory.
  private func explainMerged(_ prepared: PreparedFetch, _ mounts: [Mount]) throws -> FetchExplanation {
    var merged: FetchExplanation?
    let correction = correction(of: prepared)
    try reading { reader in
      for search in try searches(prepared, on: mounts, with: reader, wholeRows: true, correction) {
        let session = try reader.session(search.mount.index)
        let own = try search.plan.explanation()
        guard merged == nil else {
          merged?.merge(own)
          continue
        }
        merged = own
        merged?.parts = try session.plan(prepared.request.storeRequest(.rows)).parts
      }
    }
    guard var explanation = merged else { throw coordinator.noStore() }
    let reason = correction == nil ? InMemoryReason.severalStores : .unsavedChanges
    let request = prepared.request
    let sortsAll = mounts.count > 1 || correction?.dependsOnOthers == true
    if !request.sortDescriptors.isEmpty, sortsAll { explanation.sort = .memory(reason) }
    if request.fetchLimit > 0 || request.fetchOffset > 0 {
      explanation.window = FetchExplanation.Window(
        limit: request.fetchLimit, offset: request.fetchOffset, reason: reason)
    }
    explanation.rows.returned = nil
    if let correction {
      explanation.notes.append(
        correction.dependsOnOthers
          ? "unsaved changes touch what the request looks at beyond the objects: all objects are judged in memory"
          : "the context has unsaved changes: objects that they touch are judged in memory, whatever the store says"
      )
    }
    return explanation
  }

  // MARK: Prefetching

  /// The relationships that a request's prefetching follows, each once.
  private func prefetchSteps(
    _ request: FetchRequest<ManagedObject>, _ entity: EntityLayout
  ) throws -> [RelationshipLayout] {
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
