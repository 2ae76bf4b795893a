#if PostgreSQL
import GraphStore

/// A connection beside the pool's own, inside the read transaction of a query generation.
///
/// Requests that use it count among what is in use, so that blocks that have the store to themselves wait for
/// them, and they for these; a generation that nothing is read from holds nobody up. It counts as no reader.
final class PinnedPostgreSQLConnection {
  let connection: PostgreSQLConnection
  /// Requests that use it; guarded by the pool.
  @safe @exclusivity(unchecked) fileprivate var uses = 0

  fileprivate init(_ connection: PostgreSQLConnection) { self.connection = connection }
}

extension PostgreSQLPool {
  /// Opens a connection for a query generation, which is to begin its transaction.
  ///
  /// - Parameter limit: How many there may be.
  /// - Throws: `query-generation-unavailable` where there are as many; as taking a reader.
  func openPinned(limit: Int) throws -> PinnedPostgreSQLConnection {
    try monitor.wait(until: deadline) { state -> Void? in
      try checkOpen(state)
      guard state.use.allowsCaller else { return nil }
      guard state.pinnedCount < limit else { throw tooManyPinned(limit) }
      state.pinnedCount += 1
      state.use.inUse += 1
      return ()
    } else: { _ in
      heldByBlock
    }
    do {
      let pinned = PinnedPostgreSQLConnection(try open())
      let isSurplus = monitor.change { state -> Bool in
        state.use.inUse -= 1
        if !state.use.isClosed { state.pinned.append(pinned) }
        return state.use.isClosed
      }
      if isSurplus { pinned.connection.close() }
      return pinned
    } catch {
      monitor.change { state in
        state.pinnedCount -= 1
        state.use.inUse -= 1
      }
      throw error
    }
  }

  /// Counts a request that uses a pinned connection; false once the pool is closed.
  ///
  /// - Throws: `query-generation-unavailable` where the connection was lost, and the state with it.
  func enter(_ pinned: PinnedPostgreSQLConnection) throws -> Bool {
    try monitor.wait(until: deadline) { state -> Bool? in
      if state.use.isClosed || state.use.isClosing && state.use.inUse == 0 { return false }
      if state.use.isStopped { throw interruption }
      guard state.use.allowsCaller else { return nil }
      guard pinned.connection.isOpen else { throw lostState }
      state.use.inUse += 1
      pinned.uses += 1
      return true
    } else: { _ in
      heldByBlock
    }
  }

  func leave(_ pinned: PinnedPostgreSQLConnection) {
    let isSurplus = monitor.change { state -> Bool in
      state.use.inUse -= 1
      pinned.uses -= 1
      return state.use.isClosed && pinned.uses == 0 && Self.unpin(pinned, &state)
    }
    if isSurplus { pinned.connection.close() }
  }

  /// Closes a connection that no generation needs any more.
  func end(_ pinned: PinnedPostgreSQLConnection) {
    if monitor.change({ Self.unpin(pinned, &$0) }) { pinned.connection.close() }
  }

  /// - Returns: Whether it is to be closed, and was not before.
  private static func unpin(_ pinned: PinnedPostgreSQLConnection, _ state: inout State) -> Bool {
    guard let place = state.pinned.firstIndex(where: { $0 === pinned }) else { return false }
    state.pinned.remove(at: place)
    state.pinnedCount -= 1
    state.counts.add(pinned.connection.takeCounts())
    return true
  }

  /// Takes out the pinned connections that no request uses, when the pool is closed.
  static func unpinUnused(_ state: inout State) -> [PostgreSQLConnection] {
    state.pinned.filter { $0.uses == 0 && unpin($0, &state) }.map(\.connection)
  }

  /// The number of query generations.
  var pinnedCount: Int { monitor.withState(\.pinnedCount) }

  private var lostState: GraphStoreError {
    GraphStoreError(
      .queryGenerationUnavailable,
      "The connection to \(path) was lost that kept the state to which the context is pinned.",
      remedy: "Move the pin, by setting it from the current generation.")
  }
}
#endif
