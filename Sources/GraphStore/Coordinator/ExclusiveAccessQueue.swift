import Dispatch
import GraphStorePredicates
import Synchronization

/// The turn to have a coordinator to oneself: one block at a time has it.
final class ExclusiveAccessQueue: Sendable {
  private struct State {
    var current: ExclusiveAccess?
    var waiters: [DispatchSemaphore] = []
  }

  private let state = Mutex(State())

  /// The block that has the turn, where the calling thread works for it.
  var ofCaller: ExclusiveAccess? {
    guard let current = state.withLock(\.current), current.isCurrent else { return nil }
    return current
  }

  /// Takes the turn.
  ///
  /// - Throws: `store-timeout` where another block has it for too long.
  func take(_ use: ExclusiveAccess, until deadline: DispatchTime) throws {
    try whenFree(until: deadline) { (current: inout ExclusiveAccess?) in current = use }
  }

  /// Does something while no block takes the turn, once none has it but perhaps the one that the calling
  /// thread works for, which is handed over.
  ///
  /// - Throws: `store-timeout`; what the body throws.
  func whenFree<Result: Sendable>(
    until deadline: DispatchTime, _ body: (ExclusiveAccess?) throws -> Result
  ) throws -> Result {
    try whenFree(until: deadline) { (current: inout ExclusiveAccess?) in try body(current) }
  }

  private func whenFree<Result: Sendable>(
    until deadline: DispatchTime, _ body: (inout ExclusiveAccess?) throws -> Result
  ) throws -> Result {
    while true {
      let semaphore = DispatchSemaphore(value: 0)
      let result = try state.withLock { state -> Result? in
        if state.current?.isCurrent ?? true { return try body(&state.current) }
        state.waiters.append(semaphore)
        return nil
      }
      if let result { return result }
      guard semaphore.wait(timeout: deadline) == .success else {
        state.withLock { state in state.waiters.removeAll { $0 === semaphore } }
        throw GraphStoreError(
          .storeTimeout, "A block has had the coordinator to itself for longer than the time-out.",
          remedy: "Let the block end, or give the stores a longer time-out.")
      }
    }
  }

  func end() {
    state.withLock { state in
      state.current = nil
      for waiter in state.waiters { waiter.signal() }
      state.waiters = []
    }
  }
}
