import Dispatch
import Foundation
import GraphStorePredicates

/// Turns of the sessions of a store that has no locks of its own: several read, one writes, and a block may
/// have the store to itself.
final class StoreTurns: Sendable {
  private struct State {
    var readers: Set<ObjectIdentifier> = []
    var writer: ObjectIdentifier?
    var isClosed = false
    /// The block that has the store to itself, or is going to.
    var exclusiveAccess: ExclusiveAccess?

    /// Whether the calling thread may begin something.
    var allowsCaller: Bool { exclusiveAccess?.allowsCaller ?? true }

    /// Whether no session is open but some.
    func isUnused(but own: Set<ObjectIdentifier>) -> Bool {
      readers.isSubset(of: own) && writer.map(own.contains) ?? true
    }
  }

  /// The store in messages.
  private let name: String
  private let timeout: Duration
  private let state = Monitor(State())

  init(name: String, timeout: Duration) {
    self.name = name
    self.timeout = timeout
  }

  func beginReading(_ session: ObjectIdentifier) throws {
    try when {
      $0.allowsCaller
    } _: {
      $0.readers.insert(session)
    } else: { _ in
      self.heldByBlock
    }
  }

  func endReading(_ session: ObjectIdentifier) { state.change { _ = $0.readers.remove(session) } }

  func beginWriting(_ session: ObjectIdentifier) throws {
    try when {
      $0.allowsCaller && $0.writer == nil
    } _: {
      $0.writer = session
    } else: { state in
      state.exclusiveAccess != nil
        ? self.heldByBlock
        : self.inUse(
          "being written by another context",
          remedy:
            "Let the other save or transaction end; a context that is to save within it has to take part in it."
        )
    }
  }

  func endWriting() { state.change { $0.writer = nil } }

  func close() { state.change { $0.isClosed = true } }

  /// Waits until no session is open, and closes.
  func closeWhenUnused() throws {
    try when {
      $0.allowsCaller && $0.isUnused(but: [])
    } _: {
      $0.isClosed = true
    } else: { _ in
      self.inUse(
        "in use by a request of this program",
        remedy: "Let requests and transactions end before the store is removed; it stays open.")
    }
    // Wakes the sessions that wait for their turn.
    close()
  }

  // MARK: Exclusive use

  /// Lets only sessions begin that a block allows; nil lets all begin.
  func setExclusiveAccess(_ use: ExclusiveAccess?) { state.change { $0.exclusiveAccess = use } }

  /// Waits until no session is open but some.
  func waitUntilUnused(but own: Set<ObjectIdentifier>, until deadline: DispatchTime) throws {
    try when(until: deadline) {
      $0.isUnused(but: own)
    } _: { _ in
    } else: { _ in
      self.inUse(
        "in use by a request of this program",
        remedy: "Let requests and transactions end before a block has the coordinator to itself.")
    }
  }

  /// Evaluates a condition while no session can begin, where none is open but some.
  func isUnused(but own: Set<ObjectIdentifier>, and condition: () -> Bool) -> Bool {
    state.withState { $0.isUnused(but: own) && condition() }
  }

  // MARK: Waiting

  private func when(
    until deadline: DispatchTime? = nil, _ condition: (State) -> Bool, _ body: (inout State) -> Void,
    else failure: (State) -> GraphStoreError
  ) throws {
    try state.wait(until: deadline ?? .now() + self.timeout.dispatchInterval) { state -> Void? in
      if state.isClosed {
        throw GraphStoreError(.noStore, "\(self.name) was closed.", remedy: "Add it again.")
      }
      return condition(state) ? body(&state) : nil
    } else: {
      failure($0)
    }
  }

  private func inUse(_ use: String, remedy: String) -> GraphStoreError {
    GraphStoreError(.storeTimeout, "\(name) is \(use), for longer than \(timeout).", remedy: remedy)
  }

  private var heldByBlock: GraphStoreError {
    GraphStoreError(
      .storeTimeout, "A block has had \(name) to itself for longer than \(timeout).",
      remedy: "Let the block of the coordinator end; what is to go on within it has to be called by it.")
  }
}
