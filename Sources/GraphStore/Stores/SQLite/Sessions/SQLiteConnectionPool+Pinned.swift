import Foundation
import GraphStoreFiles
import GraphStoreSQLite

/// A connection beside the pool's own, inside the read transaction of a query generation.
///
/// Requests that use it count among what is in use, so that blocks that have the store to themselves wait for
/// them, and they for these; a generation that nothing is read from holds nobody up. It counts as no reader.
final class PinnedConnection {
  let pooled: PooledConnection
  /// The version of the data before its read transaction began.
  let dataVersion: Int64
  /// Requests that use it; guarded by the pool.
  @safe @exclusivity(unchecked) fileprivate var uses = 0
  /// Whether it was said that the log has grown large; guarded by the pool.
  @safe @exclusivity(unchecked) fileprivate var hasWarned = false

  fileprivate init(_ pooled: PooledConnection, dataVersion: Int64) {
    self.pooled = pooled
    self.dataVersion = dataVersion
  }
}

extension SQLiteConnectionPool {
  /// Opens a connection for a query generation, which is to begin its transaction.
  ///
  /// - Parameter limit: How many there may be.
  /// - Throws: `query-generation-unavailable` where there are as many; as taking a reader.
  func openPinned(limit: Int) throws -> PinnedConnection {
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
      let version = try presentDataVersion()
      let pinned = PinnedConnection(try adopt(openConnection()), dataVersion: version)
      let surplus = monitor.change { state -> PooledConnection? in
        state.use.inUse -= 1
        if state.use.isClosed { return forget(pinned.pooled, &state) }
        state.pinned.append(pinned)
        return nil
      }
      surplus?.close()
      hasPinned.store(true, ordering: .relaxed)
      return pinned
    } catch {
      monitor.change { state in
        state.pinnedCount -= 1
        state.use.inUse -= 1
      }
      endWatch()
      throw error
    }
  }

  /// Counts a request that uses a pinned connection; false once that is closed.
  func enter(_ pinned: PinnedConnection) throws -> Bool {
    try monitor.wait(until: deadline) { state -> Bool? in
      if state.use.isClosed || !pinned.pooled.connection.isOpen { return false }
      if state.use.isClosing && state.use.inUse == 0 { return false }
      if state.use.isStopped { throw interruption }
      guard state.use.allowsCaller else { return nil }
      state.use.inUse += 1
      pinned.uses += 1
      return true
    } else: { _ in
      heldByBlock
    }
  }

  func leave(_ pinned: PinnedConnection) {
    let closing = monitor.change { state -> PooledConnection? in
      state.use.inUse -= 1
      pinned.uses -= 1
      return state.use.isClosed && pinned.uses == 0 ? unpin(pinned, &state) : nil
    }
    guard let closing else { return }
    closing.close()
    endWatch()
  }

  /// Closes a connection that no generation needs any more.
  func end(_ pinned: PinnedConnection) {
    let closing = monitor.change { unpin(pinned, &$0) }
    closing?.close()
    endWatch()
  }

  /// - Returns: The connection, to be closed; nil where it was before.
  private func unpin(_ pinned: PinnedConnection, _ state: inout State) -> PooledConnection? {
    guard let place = state.pinned.firstIndex(where: { $0 === pinned }) else { return nil }
    state.pinned.remove(at: place)
    state.pinnedCount -= 1
    return forget(pinned.pooled, &state)
  }

  /// Takes out the pinned connections that no request uses, when the pool is closed.
  func unpinUnused(_ state: inout State) -> [PooledConnection] {
    state.pinned.filter { $0.uses == 0 }.compactMap { unpin($0, &state) }
  }

  /// The number of query generations.
  var pinnedCount: Int { monitor.withState(\.pinnedCount) }

  // MARK: Later commits

  /// Whether nobody has committed anything since a connection was pinned.
  func isPresent(_ pinned: PinnedConnection) -> Bool {
    guard pinned.pooled.connection.isOpen else { return false }
    return (try? presentDataVersion()) == pinned.dataVersion
  }

  /// The version of the data, which every commit of another connection raises, as one that commits nothing
  /// sees it.
  private func presentDataVersion() throws -> Int64 {
    try watch.withLock { watch in
      let connection = try watch ?? openConnection()
      watch = connection
      return try connection.int64("PRAGMA data_version") ?? 0
    }
  }

  /// Closes the connection that sees commits, once no generation is left.
  func endWatch() {
    let ended = watch.withLock { watch -> SQLiteConnection? in
      guard monitor.withState({ $0.pinnedCount == 0 }) else { return nil }
      hasPinned.store(false, ordering: .relaxed)
      defer { watch = nil }
      return watch
    }
    ended?.close()
  }

  // MARK: The log

  /// The size of the write-ahead log in bytes.
  var logSize: Int {
    var status = stat()
    return unsafe stat(ResolvedPath.of(path) + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }

  /// Warns, once a generation, where the log has grown large that generations keep from being folded into the
  /// file; called after each commit.
  @inline(__always)
  func noteCommit() {
    if hasPinned.load(ordering: .relaxed) { warnOfLargeLog() }
  }

  @inline(never)
  private func warnOfLargeLog() {
    let size = logSize
    guard size > largeLog.load(ordering: .relaxed) else { return }
    let count = monitor.withState { state -> Int? in
      guard state.pinned.contains(where: { !$0.hasWarned }) else { return nil }
      for pinned in state.pinned { pinned.hasWarned = true }
      return state.pinned.count
    }
    guard let count else { return }
    let kept = count == 1 ? "a context is pinned to a former state" : "\(count) former states are pinned"
    Diagnostics.report(
      StoreWarning(
        code: "log-large",
        message: "The write-ahead log of \(path) has \(size) bytes, and cannot shrink while \(kept).",
        remedy:
          "Move the pins of contexts by merging what others save, or unpin contexts that wait for long.",
        preventsWriting: false))
  }

  /// Asks a connection that is free for something that counts as no statement.
  func askingQuietly<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    let taken = try takeReader(takesReaderSlot: false)
    defer { giveBackReader(taken, takesReaderSlot: false) }
    return try taken.connection.withoutCounting { try body(taken.connection) }
  }
}
