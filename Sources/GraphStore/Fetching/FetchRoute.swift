import GraphStorePredicates

/// Who puts the answer of a request together.
enum FetchRoute {
  /// Each store gives its part, unless its plan leaves something to memory: one store, or several one after
  /// the other.
  case stores([Mount])
  /// Memory, from the answers of stores and from unsaved changes.
  case memory([Mount], PendingCorrection?)

  /// The answer of the one store, where it gives it alone; else memory's.
  ///
  /// - Parameters:
  ///   - byStore: Asks the store; nil where its plan leaves something to memory, and nothing was read.
  ///   - inMemory: Puts the answer together.
  func answer<Result>(
    byStore: (Mount) throws -> Result?, inMemory: ([Mount], PendingCorrection?) throws -> Result
  ) rethrows -> Result {
    switch self {
    case .stores(let mounts):
      if mounts.count == 1, let answer = try byStore(mounts[0]) { return answer }
      return try inMemory(mounts, nil)
    case .memory(let mounts, let correction): return try inMemory(mounts, correction)
    }
  }
}

extension ManagedObjectContext {
  /// The route of a request: memory where unsaved changes alter the answer, or where several stores have
  /// parts of it that are not simply put one after the other.
  ///
  /// - Parameters:
  ///   - inParts: Whether the answer is that of each store in turn.
  ///   - shown: What is shown of the objects, where the answer is not the objects themselves.
  func route(
    of prepared: PreparedFetch, inParts: Bool = false, shown: [QueryExpression] = []
  ) -> FetchRoute {
    let mounts = mounts(for: prepared)
    let correction = correction(of: prepared, shown: shown)
    return correction == nil && (mounts.count < 2 || inParts) ? .stores(mounts) : .memory(mounts, correction)
  }

  /// Runs a request in one store by one statement.
  ///
  /// - Returns: nil where a part of it is left to memory; nothing was read then.
  func readingPlanned<Result>(
    _ request: StoreRequest, from mount: Mount, for use: ReadUse = [],
    _ body: (any StoreFetchPlan, any ReadSession) throws -> Result
  ) throws -> Result? {
    try readingOnce(from: mount.index, for: use) { session in
      let plan = try session.plan(request)
      return plan.runsInStore ? try body(plan, session) : nil
    }
  }

  /// Runs a request store by store, while code of the program may run.
  ///
  /// - Returns: False where one of them leaves a part to memory; nothing was read then.
  func readingParts(
    _ request: StoreRequest, from mounts: [Mount], _ body: (any StoreFetchPlan, Mount) throws -> Void
  ) throws -> Bool {
    if mounts.count == 1 {
      return try readingPlanned(request, from: mounts[0], for: .runsCallbacks) { plan, _ in
        try body(plan, mounts[0])
      } != nil
    }
    return try reading(runsCallbacks: true) { reader in
      let plans = try mounts.map { try reader.session($0.index).plan(request) }
      guard plans.allSatisfy(\.runsInStore) else { return false }
      for (plan, mount) in zip(plans, mounts) { try body(plan, mount) }
      return true
    }
  }
}
