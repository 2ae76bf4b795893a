import Foundation
import Synchronization

/// What in-memory stores work on: the committed state, the counters of keys, and the turn of the one that writes.
final class InMemoryDatabase: Sendable {
  private struct Shared {
    var state: InMemoryState
    /// By entity tree: the last key that was given. They never fall, not even where what was written is taken back.
    var lastKeys: [Int64]
    var isWriting = false
    var isStopped = false
    var isClosed = false
    /// Who waits for the turn to write; all look again when it is free.
    var waiters: [DispatchSemaphore] = []

    mutating func wake() {
      for waiter in waiters { waiter.signal() }
      waiters = []
    }
  }

  let schema: InMemorySchema
  let timeout: Duration
  private let shared: Mutex<Shared>
  /// Read in the midst of searches.
  private let stopFlag = Atomic<Bool>(false)

  init(_ schema: InMemorySchema, _ metadata: StoreMetadata, timeout: Duration) {
    self.schema = schema
    self.timeout = timeout
    shared = Mutex(
      Shared(
        state: InMemoryState(schema, metadata),
        lastKeys: [Int64](repeating: 0, count: schema.layout.entities.count)))
  }

  // MARK: Reading

  /// The state as it was committed last.
  func snapshot() throws -> InMemoryState {
    try shared.withLock { shared in
      try Self.check(shared)
      return shared.state
    }
  }

  /// - Throws: `sqlite`, as other stores do, while the store is stopped.
  func checkStopped() throws { if stopFlag.load(ordering: .relaxed) { throw Self.stopped } }

  // MARK: Writing

  /// Takes the turn to write, and gives the state to begin with.
  func beginWriting() throws -> InMemoryState {
    try whenUnused(
      { shared in
        shared.isWriting = true
        return shared.state
      },
      else: "being written by another context",
      remedy:
        "Let the other save or transaction end; a context that is to save within it has to take part in it.")
  }

  /// Waits until nobody writes, and closes (STO-036); who reads has a state of its own.
  func closeWhenUnused() throws {
    try whenUnused(
      { shared in
        shared.isClosed = true
        shared.wake()
      },
      else: "in use by a transaction of this program",
      remedy: "Let the transaction end before the store is removed; it stays open.")
  }

  /// Does something while nobody writes.
  ///
  /// - Throws: `store-timeout` where somebody writes for too long.
  private func whenUnused<Result>(
    _ body: (inout Shared) -> Result, else use: String, remedy: String
  ) throws -> Result {
    let deadline = DispatchTime.now() + timeout.dispatchInterval
    while true {
      let semaphore = DispatchSemaphore(value: 0)
      let result = try shared.withLock { shared -> Result? in
        try Self.check(shared)
        if !shared.isWriting { return body(&shared) }
        shared.waiters.append(semaphore)
        return nil
      }
      if let result { return result }
      guard semaphore.wait(timeout: deadline) == .success else {
        shared.withLock { shared in shared.waiters.removeAll { $0 === semaphore } }
        throw GraphStoreError(
          .storeTimeout, "\(InMemoryStore.name) is \(use), for longer than \(timeout).", remedy: remedy)
      }
    }
  }

  /// Ends the turn; a state that is given is what was committed.
  func endWriting(_ state: InMemoryState?) {
    shared.withLock { shared in
      if let state { shared.state = state }
      shared.isWriting = false
      shared.wake()
    }
  }

  /// Takes keys that nobody had; gives the first.
  func reserveKeys(_ root: Int, count: Int) -> Int64 {
    shared.withLock { shared in
      defer { shared.lastKeys[root] += Int64(count) }
      return shared.lastKeys[root] + 1
    }
  }

  // MARK: Stopping

  func setStopped(_ isStopped: Bool) {
    stopFlag.store(isStopped, ordering: .relaxed)
    shared.withLock { shared in
      shared.isStopped = isStopped
      if isStopped { shared.wake() }
    }
  }

  func close() {
    shared.withLock { shared in
      shared.isClosed = true
      shared.wake()
    }
  }

  private static func check(_ shared: Shared) throws {
    if shared.isClosed {
      throw GraphStoreError(
        .noStore, "\(InMemoryStore.name) was closed, and what it held is gone.",
        remedy: "Make another one.")
    }
    if shared.isStopped { throw stopped }
  }

  private static var stopped: GraphStoreError {
    GraphStoreError(.sqlite, "\(InMemoryStore.name) was interrupted.", remedy: "Try again.")
  }
}
