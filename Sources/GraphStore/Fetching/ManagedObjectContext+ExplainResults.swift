import GraphStoreModel
import GraphStorePredicates

extension ManagedObjectContext {
  /// How a request for dictionaries runs: as a statement that returns them, or over rows in memory.
  func explainResults(_ request: FetchRequest<ManagedObject>) throws -> FetchExplanation {
    let prepared = try prepareResults(request)
    let mounts = mounts(for: prepared.fetch)
    guard let first = mounts.first else { return unasked(prepared.fetch) }
    let request = prepared.fetch.request.storeRequest(.results(prepared.query))
    let (parts, inStore) = try readingOnce(from: first.index, for: .severalStatements) { session in
      let plan = try session.plan(request)
      return (plan.parts, mounts.count == 1 && plan.runsInStore ? try plan.explanation() : nil)
    }
    let reason = mounts.count > 1 ? InMemoryReason.severalStores : .mixed
    var explanation = try inStore ?? explainRows(of: prepared, mounts, parts: parts, reason)
    explanation.resultType = .dictionary
    if let predicate = prepared.fetch.request.predicate {
      let warnings = PredicateTypeChecker(entity: prepared.fetch.entity.entity).warnings(in: predicate)
      explanation.notes += warnings.map(\.message)
    }
    return explanation
  }

  /// As ``explainResults(_:)``, and what a run of the request took: its statements alone, then all of it.
  func analyzeResults(_ request: FetchRequest<ManagedObject>) throws -> FetchExplanation {
    var explanation = try explainResults(request)
    let prepared = try prepareResults(request)
    let mounts = mounts(for: prepared.fetch)
    let clock = ContinuousClock()
    var read = 0
    let storeTime = try clock.measure {
      try reading { reader in
        let request = prepared.fetch.request.storeRequest(.results(prepared.query))
        for mount in mounts {
          let session = try reader.session(mount.index)
          let plan = try session.plan(request)
          if mounts.count == 1, plan.runsInStore {
            try plan.fields { _ in read += 1 }
          } else {
            try session.plan(prepared.rows).rows { read += $0.count }
          }
        }
      }
    }
    var count = 0
    let totalTime = try clock.measure { try enumerateResults(request) { _ in count += 1 } }
    explanation.rows.read = read
    explanation.rows.returned = count
    explanation.rows.isExact = true
    explanation.analysis = FetchExplanation.Analysis(
      objects: count, storeTime: storeTime, totalTime: max(storeTime, totalTime))
    return explanation
  }

  /// The statements that return the rows from which dictionaries are made in memory.
  private func explainRows(
    of prepared: PreparedResults, _ mounts: [Mount], parts: [FetchExplanation.Part], _ reason: InMemoryReason
  ) throws -> FetchExplanation {
    let (limit, offset) = (prepared.fetch.request.fetchLimit, prepared.fetch.request.fetchOffset)
    var all: FetchExplanation?
    try reading { reader in
      for mount in mounts {
        let own = try reader.session(mount.index).plan(prepared.rows).explanation()
        if all == nil { all = own } else { all?.merge(own) }
      }
    }
    guard var explanation = all else { throw coordinator.noStore() }
    explanation.parts = parts.map { part in
      guard part.kind != .predicate, part.isInStore else { return part }
      var part = part
      (part.place, part.reason) = (.memory, reason)
      return part
    }
    if prepared.query.hasRequestedOrder { explanation.sort = .memory(reason) }
    if limit > 0 || offset > 0 {
      explanation.window = FetchExplanation.Window(limit: limit, offset: offset, reason: reason)
    }
    explanation.rows.returned = nil
    return explanation
  }
}
