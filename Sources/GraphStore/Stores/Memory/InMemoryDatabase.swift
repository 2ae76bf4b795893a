import Foundation
import Synchronization

/// Database of stores that are in memory: the committed state, the counters of keys, and the turn of the
/// writer; with a file, what is committed is written there first.
final class InMemoryDatabase: Sendable {
  private struct Shared {
    var state: InMemoryState
    /// By entity tree: the last key that was assigned. They never fall, not even after a rollback.
    var lastKeys: [Int64]
    var isWriting = false
    var isStopped = false
    var isClosed = false
    /// The block that has the store to itself, or is going to.
    var exclusiveAccess: ExclusiveAccess?

    /// Whether the calling thread may begin something.
    var allowsCaller: Bool { exclusiveAccess?.allowsCaller ?? true }
  }

  /// Writes a state, which replaces a former one, and the last keys by entity tree, where they outlive the
  /// process.
  typealias Keeper =
    @Sendable (_ former: InMemoryState, _ state: InMemoryState, _ lastKeys: [Int64]) throws -> Void

  /// Looks for what would keep a state from being written.
  typealias Checker = @Sendable () throws -> Void

  /// What messages call it.
  private let name: String
  private let keeper: Keeper?
  /// Whether one counter gives the keys of all entity trees.
  private let hasOneCounter: Bool
  private let checker: Checker?
  /// Gives new records the references by which they are known outside; nil where that is their keys.
  let naming: NodeNaming?
  let schema: InMemorySchema
  let timeout: Duration
  private let shared: Monitor<Shared>
  /// Read in the midst of searches.
  private let stopFlag = Atomic<Bool>(false)

  /// A new, empty one that nothing is kept of.
  convenience init(_ schema: InMemorySchema, _ metadata: StoreMetadata, timeout: Duration) {
    let lastKeys = [Int64](repeating: 0, count: schema.layout.entities.count)
    self.init(InMemoryState(schema, metadata), lastKeys: lastKeys, name: InMemoryStore.name, timeout: timeout)
  }

  /// One with content.
  ///
  /// - Parameters:
  ///   - hasOneCounter: Whether one counter gives the keys of all entity trees.
  ///   - checker: Looks for what would keep the keeper from writing.
  ///   - keeper: Writes what is committed; nil where nothing is kept.
  init(
    _ state: InMemoryState, lastKeys: [Int64], hasOneCounter: Bool = false, name: String, timeout: Duration,
    checker: Checker? = nil, naming: NodeNaming? = nil, keeper: Keeper? = nil
  ) {
    schema = state.schema
    self.hasOneCounter = hasOneCounter
    self.name = name
    self.timeout = timeout
    self.keeper = keeper
    self.checker = checker
    self.naming = naming
    shared = Monitor(Shared(state: state, lastKeys: lastKeys))
  }

  // MARK: Keeping

  /// Writes a state that is going to be the committed one; the caller has the turn to write.
  ///
  /// - Throws: what keeps it from being written; the old one is kept then.
  func keep(_ state: InMemoryState) throws {
    let (former, lastKeys) = shared.withState { ($0.state, $0.lastKeys) }
    try keeper?(former, state, lastKeys)
  }

  /// Makes sure that a state can be written, as far as that can be told before.
  func checkKeeping() throws { try checker?() }

  // MARK: Reading

  /// The state as it was committed last.
  ///
  /// - Throws: `store-timeout` where a block has the store to itself for too long.
  func snapshot() throws -> InMemoryState {
    try when(until: deadline, { $0.allowsCaller }, \.state) { _ in self.heldByBlock }
  }

  /// - Throws: `sqlite`, as other stores do, while the store is stopped.
  func checkStopped() throws { if stopFlag.load(ordering: .relaxed) { throw stopped } }

  /// - Throws: `sqlite` while the store is stopped, `cancelled` in a task that was cancelled.
  func checkRequest() throws {
    try checkStopped()
    if RequestCancellation.isRequested { throw GraphStoreError.cancelledRequest }
  }

  // MARK: Writing

  /// Takes the turn to write, and returns the state to begin with.
  func beginWriting() throws -> InMemoryState {
    try when(until: deadline, { $0.allowsCaller && !$0.isWriting }) { shared in
      shared.isWriting = true
      return shared.state
    } else: { shared in
      shared.exclusiveAccess != nil
        ? self.heldByBlock
        : self.inUse(
          "being written by another context",
          remedy:
            "Let the other save or transaction end; a context that is to save within it has to take part in it."
        )
    }
  }

  /// Waits until no session writes, and closes (STO-036); readers have a state of their own.
  func closeWhenUnused() throws {
    try when(until: deadline, { $0.allowsCaller && !$0.isWriting }) { shared in
      shared.isClosed = true
    } else: { _ in
      self.inUse(
        "in use by a transaction of this program",
        remedy: "Let the transaction end before the store is removed; it stays open.")
    }
    // Wakes the sessions that wait for their turn.
    close()
  }

  /// Does something once a condition holds.
  ///
  /// - Parameters:
  ///   - deadline: How long it waits.
  ///   - failure: The error where that is too long.
  private func when<Result>(
    until deadline: @autoclosure () -> DispatchTime, _ condition: (Shared) -> Bool,
    _ body: (inout Shared) -> Result, else failure: (Shared) -> GraphStoreError
  ) throws -> Result {
    try shared.wait(until: deadline()) { shared -> Result? in
      try self.check(shared)
      return condition(shared) ? body(&shared) : nil
    } else: {
      failure($0)
    }
  }

  /// The end of a wait that begins now.
  private var deadline: DispatchTime { .now() + timeout.dispatchInterval }

  /// Ends the turn; a state that is passed is the committed one.
  func endWriting(_ state: InMemoryState?) {
    shared.change { shared in
      if let state { shared.state = state }
      shared.isWriting = false
    }
  }

  /// The key of an entity tree that was taken last; 0 where there was none.
  func lastKey(_ root: Int) -> Int64 {
    naming?.references.lastKey(in: schema.layout.entities[root].entity.name)
      ?? shared.withState { lastKey(root, $0) }
  }

  /// Gives no key from now on up to some last ones, by entity tree.
  func raiseKeys(_ lastKeys: [Int64]) {
    shared.withState { shared in
      for (root, key) in lastKeys.enumerated() { shared.lastKeys[root] = max(shared.lastKeys[root], key) }
    }
  }

  private func lastKey(_ root: Int, _ shared: Shared) -> Int64 {
    hasOneCounter ? shared.lastKeys.max() ?? 0 : shared.lastKeys[root]
  }

  /// Reserves keys that were never used; returns the first.
  ///
  /// - Throws: `store-save-failed` where there are no more.
  func reserveKeys(_ root: EntityLayout, count: Int) throws -> Int64 {
    if let naming { return naming.references.reserveKeys(count, in: root.entity.name) }
    return try shared.withState { shared in
      let last = lastKey(root.index, shared)
      guard Int64(count) <= StoredKey.keys.upperBound - last else {
        throw GraphStoreError(
          .storeSaveFailed, "\(self.name) has given all keys of \(root.entity.name) away.",
          remedy: "Copy its objects into a new store.", entity: root.entity.name)
      }
      shared.lastKeys[root.index] = last + Int64(count)
      return last + 1
    }
  }

  // MARK: Stopping

  func setStopped(_ isStopped: Bool) {
    stopFlag.store(isStopped, ordering: .relaxed)
    shared.change { $0.isStopped = isStopped }
  }

  func close() {
    shared.change { $0.isClosed = true }
  }

  // MARK: Exclusive use

  /// Lets only sessions begin that a block allows; nil lets all begin.
  func setExclusiveAccess(_ use: ExclusiveAccess?) {
    shared.change { $0.exclusiveAccess = use }
  }

  /// Waits until no session writes.
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

  /// Evaluates a condition while no session can begin, where none writes but perhaps the caller's.
  func isUnused(but isOwn: Bool, and condition: () -> Bool) -> Bool {
    shared.withState { (!$0.isWriting || isOwn) && condition() }
  }

  // MARK: Errors

  private func inUse(_ use: String, remedy: String) -> GraphStoreError {
    GraphStoreError(
      .storeTimeout, "\(name) is \(use), for longer than \(timeout).", remedy: remedy)
  }

  private var heldByBlock: GraphStoreError {
    GraphStoreError(
      .storeTimeout, "A block has had \(nameInSentence) to itself for longer than \(timeout).",
      remedy: "Let the block of the coordinator end; what is to go on within it has to be called by it.")
  }

  /// Its name within a sentence.
  private var nameInSentence: String { keeper == nil ? "the in-memory store" : name }

  private func check(_ shared: Shared) throws {
    if shared.isClosed {
      throw GraphStoreError(
        .noStore, keeper == nil ? "\(name) was closed, and what it held is gone." : "\(name) was closed.",
        remedy: keeper == nil ? "Make another one." : "Open it again.")
    }
    if shared.isStopped { throw stopped }
  }

  private var stopped: GraphStoreError {
    GraphStoreError(.sqlite, "\(name) was interrupted.", remedy: "Try again.")
  }
}
