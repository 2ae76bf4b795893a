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
    /// The block that has the store to itself, or is going to.
    var exclusiveUse: ExclusiveUse?
    /// Who waits for the turn to write; all look again when it is free.
    var waiters: [DispatchSemaphore] = []

    /// Whether the calling thread may begin something.
    var admitsCaller: Bool { exclusiveUse?.admitsCaller ?? true }

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
  ///
  /// - Throws: `store-timeout` where a block has the store to itself for too long.
  func snapshot() throws -> InMemoryState {
    try when({ $0.admitsCaller }, \.state) { _ in self.heldByBlock }
  }

  /// - Throws: `sqlite`, as other stores do, while the store is stopped.
  func checkStopped() throws { if stopFlag.load(ordering: .relaxed) { throw Self.stopped } }

  // MARK: Writing

  /// Takes the turn to write, and gives the state to begin with.
  func beginWriting() throws -> InMemoryState {
    try when({ $0.admitsCaller && !$0.isWriting }) { shared in
      shared.isWriting = true
      return shared.state
    } else: { isHeld in
      isHeld
        ? self.heldByBlock
        : self.inUse(
          "being written by another context",
          remedy:
            "Let the other save or transaction end; a context that is to save within it has to take part in it."
        )
    }
  }

  /// Waits until nobody writes, and closes (STO-036); who reads has a state of its own.
  func closeWhenUnused() throws {
    try when({ $0.admitsCaller && !$0.isWriting }) { shared in
      shared.isClosed = true
      shared.wake()
    } else: { _ in
      self.inUse(
        "in use by a transaction of this program",
        remedy: "Let the transaction end before the store is removed; it stays open.")
    }
  }

  /// Does something once a condition holds.
  ///
  /// - Parameters:
  ///   - deadline: How long it waits; nil for the store's time-out.
  ///   - failure: The error where that is too long, told whether a block has the store to itself.
  private func when<Result>(
    until deadline: DispatchTime? = nil, _ condition: (Shared) -> Bool,
    _ body: (inout Shared) -> Result, else failure: (_ isHeld: Bool) -> GraphStoreError
  ) throws -> Result {
    var deadline = deadline
    while true {
      var semaphore: DispatchSemaphore?
      let result = try shared.withLock { shared -> Result? in
        try Self.check(shared)
        if condition(shared) { return body(&shared) }
        let made = DispatchSemaphore(value: 0)
        shared.waiters.append(made)
        semaphore = made
        return nil
      }
      if let result { return result }
      let end = deadline ?? .now() + timeout.dispatchInterval
      deadline = end
      guard semaphore?.wait(timeout: end) == .success else {
        let isHeld = shared.withLock { shared in
          shared.waiters.removeAll { $0 === semaphore }
          return shared.exclusiveUse != nil
        }
        throw failure(isHeld)
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

  // MARK: Exclusive use

  /// Lets only those begin whom a block admits; nil lets all begin.
  func setExclusiveUse(_ use: ExclusiveUse?) {
    shared.withLock { shared in
      shared.exclusiveUse = use
      shared.wake()
    }
  }

  /// Waits until nobody writes.
  func waitUntilUnused(until deadline: DispatchTime) throws {
    try when(until: deadline) {
      !$0.isWriting
    } _: { _ in
    } else: { _ in
      self.inUse(
        "in use by a transaction of this program",
        remedy: "Let transactions end before a block has the coordinator to itself.")
    }
  }

  /// Asks something while nobody can begin, where nobody writes but perhaps the caller.
  func isUnused(but isOwn: Bool, and condition: () -> Bool) -> Bool {
    shared.withLock { (!$0.isWriting || isOwn) && condition() }
  }

  // MARK: Errors

  private func inUse(_ use: String, remedy: String) -> GraphStoreError {
    GraphStoreError(
      .storeTimeout, "\(InMemoryStore.name) is \(use), for longer than \(timeout).", remedy: remedy)
  }

  private var heldByBlock: GraphStoreError {
    GraphStoreError(
      .storeTimeout, "A block has had the in-memory store to itself for longer than \(timeout).",
      remedy: "Let the block of the coordinator end; what is to go on within it has to be called by it.")
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
