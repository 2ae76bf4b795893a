import GraphStorePredicates

/// The route of a request: stores alone answer it, or memory does.
enum FetchRoute {
  /// Each store returns its part, unless its plan leaves something to memory: one store, or several one after
  /// the other.
  case stores([Mount])
  /// Memory, from the answers of stores and from unsaved changes.
  case memory([Mount], PendingCorrection?)

  /// The answer of the one store, where it answers alone; else memory's.
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

  /// Runs a request store by store, while code of the program may run.
  ///
  /// - Returns: False where one of them leaves a part to memory; nothing was read then.
  func readingParts(
    _ request: StoreRequest, from mounts: [Mount], _ body: (any StoreFetchPlan, Mount) throws -> Void
  ) throws -> Bool {
    if mounts.count > 1 {
      let runInStores = try planning { reader in
        try mounts.allSatisfy { try reader.plan(request, on: $0.index).runsInStore }
      }
      if !runInStores { return false }
    }
    for mount in mounts {
      let isRead: Void? = try readingPlanned(request, from: mount, for: .runsCallbacks) { plan, _ in
        try body(plan, mount)
      }
      if isRead == nil { return false }
    }
    return true
  }
}
