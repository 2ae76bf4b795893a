import Dispatch

/// State of a pool of connections.
package protocol ConnectionPoolState {
  var use: ConnectionUse { get set }
}

/// The connections of a store: at most one of the process writes, several read beside it.
///
/// How one waits for a connection, or until none is in use, and what is said where that takes too long, is
/// the same whichever database it is.
package protocol ConnectionPool: AnyObject {
  associatedtype State: ConnectionPoolState

  var path: String { get }
  /// How long one waits.
  var timeout: Duration { get }
  var monitor: Monitor<State> { get }
  /// The failure of what begins while the store is stopped.
  var interruption: any Error { get }
}

extension ConnectionPool {
  /// The end of a wait that begins now.
  package var deadline: DispatchTime { .now() + timeout.dispatchInterval }

  /// - Throws: `no-store` once the pool is closed; ``interruption``.
  @inline(__always)
  package func checkOpen(_ state: State) throws {
    if state.use.isClosed || state.use.isClosing && state.use.inUse == 0 { throw closed }
    if state.use.isStopped { throw interruption }
  }

  /// Waits until there is a place, and counts the caller among those who use one.
  ///
  /// - Parameters:
  ///   - reserve: Takes a place; false where none is free.
  ///   - take: What to do at once with the place.
  @inline(__always)
  package func takePlace<Place>(
    forWriting: Bool, _ reserve: (inout State) -> Bool, _ take: (inout State) -> Place
  ) throws -> Place {
    try monitor.wait(until: deadline) { state -> Place? in
      try checkOpen(state)
      guard state.use.allowsCaller, reserve(&state) else { return nil }
      state.use.inUse += 1
      return take(&state)
    } else: { state in
      state.use.exclusiveAccess == nil ? timedOut(forWriting: forWriting) : heldByBlock
    }
  }

  /// Waits until nothing is in use, after which the pool is to be closed; nothing else begins then (STO-036).
  ///
  /// - Throws: `store-timeout`; the pool then keeps working.
  package func waitToClose() throws {
    try monitor.wait(until: deadline) { state -> Void? in
      if state.use.isClosed { return () }
      guard state.use.allowsCaller else { return nil }
      state.use.isClosing = true
      return state.use.inUse == 0 ? () : nil
    } else: { state in
      state.use.isClosing = false
      return inUse(remedy: "Let requests and transactions end before the store is removed; it stays open.")
    }
  }

  // MARK: Exclusive use

  /// Lets connections be taken only by callers that a block allows; nil lets all take them.
  package func setExclusiveAccess(_ use: ExclusiveAccess?) {
    monitor.change { $0.use.exclusiveAccess = use }
  }

  /// Waits until no more connections are in use than a number of the caller's own.
  ///
  /// - Throws: `store-timeout`.
  package func waitUntilUnused(but own: Int, until deadline: DispatchTime) throws {
    try monitor.wait(until: deadline) {
      $0.use.inUse <= own ? () : nil
    } else: { _ in
      inUse(remedy: "Let requests and transactions end before a block has the coordinator to itself.")
    }
  }

  /// Evaluates a condition while no connection can be taken or returned, where no more are in use than a
  /// number of the caller's own.
  package func isUnused(but own: Int, and condition: () -> Bool) -> Bool {
    monitor.withState { $0.use.inUse <= own && condition() }
  }

  // MARK: Errors

  package var heldByBlock: GraphStoreError {
    GraphStoreError(
      .storeTimeout, "A block has had \(path) to itself for longer than \(timeout).",
      remedy: "Let the block of the coordinator end; what is to go on within it has to be called by it.")
  }

  /// - Parameter limit: How many connections may be pinned to former states.
  package func tooManyPinned(_ limit: Int) -> GraphStoreError {
    GraphStoreError(
      .queryGenerationUnavailable,
      "Contexts are pinned to \(limit) states of \(path), which are all that it may keep.",
      remedy: "Unpin contexts, or move their pins by merging what others save; the limit is the option "
        + "\(StoreOptionKey.queryGenerationMaxCount.rawValue).")
  }

  package var closed: GraphStoreError {
    GraphStoreError(.noStore, "\(path) was closed.", remedy: "Open the store again.")
  }

  private func inUse(remedy: String) -> GraphStoreError {
    GraphStoreError(
      .storeTimeout,
      "\(path) is in use by a request or transaction of this program, for longer than \(timeout).",
      remedy: remedy)
  }

  private func timedOut(forWriting: Bool) -> GraphStoreError {
    GraphStoreError(
      .storeTimeout,
      forWriting
        ? "\(path) is being written by another context of this program, for longer than \(timeout)."
        : "\(path) is being read by as many contexts of this program as can at once, for longer than \(timeout).",
      remedy: forWriting
        ? "Let the other save or transaction end; a context that is to save within it has to take part in it."
        : "Let other requests end, or allow more connections.")
  }
}
