import CGraphStoreShims
import Foundation

/// A monitor: state that one thread at a time works on, with a condition variable whose waits have a time
/// limit.
@safe package final class Monitor<State>: @unchecked Sendable {
  private let lock = FutexLock()
  @safe @exclusivity(unchecked) private var state: State
  @safe @exclusivity(unchecked) private var waiters: [DispatchSemaphore] = []

  package init(_ state: State) { self.state = state }

  /// Does something with the state that no thread waits for.
  @inline(__always)
  package func withState<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&state) }
  }

  /// Changes the state, and wakes all waiting threads to check it again.
  @inline(__always)
  package func change<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    try lock.withLock {
      defer { wakeWaiters() }
      return try body(&state)
    }
  }

  /// Tries something again after each change, until it returns a result.
  ///
  /// - Parameters:
  ///   - deadline: How long it waits; asked only where it has to, since reading the clock costs more than a
  ///     free state.
  ///   - attempt: Returns nil where it has to wait.
  ///   - failure: The error where that is too long.
  @inline(__always)
  package func wait<Result>(
    until deadline: @autoclosure () -> DispatchTime, for attempt: (inout State) throws -> Result?,
    else failure: (inout State) -> GraphStoreError
  ) throws -> Result {
    if let result = try withState(attempt) { return result }
    return try waitInTurn(until: deadline(), for: attempt, else: failure)
  }

  @inline(never)
  private func waitInTurn<Result>(
    until deadline: DispatchTime, for attempt: (inout State) throws -> Result?,
    else failure: (inout State) -> GraphStoreError
  ) throws -> Result {
    while true {
      let semaphore = DispatchSemaphore(value: 0)
      let result = try lock.withLock { () -> Result? in
        if let result = try attempt(&state) { return result }
        waiters.append(semaphore)
        return nil
      }
      if let result { return result }
      guard semaphore.wait(timeout: deadline) == .success else {
        throw lock.withLock { () -> GraphStoreError in
          waiters.removeAll { $0 === semaphore }
          return failure(&state)
        }
      }
    }
  }

  @inline(__always)
  private func wakeWaiters() {
    if !waiters.isEmpty { wakeAll() }
  }

  @inline(never)
  private func wakeAll() {
    for waiter in waiters { waiter.signal() }
    waiters = []
  }
}
