import GraphStore
import Synchronization

/// Cancellation flag of the running statement: loops poll it, and the store lets nothing more run.
package final class StatementInterruption: Sendable {
  private let flag = Atomic<Bool>(false)
  private let store = Mutex(Store())

  private struct Store {
    var stop: (@Sendable (Bool) -> Void)?
    var isHeld = false
  }

  /// What a statement ends with that was asked to stop.
  private let makeFailure: @Sendable () -> any Error

  /// - Parameter makeFailure: Says what a statement ends with that was asked to stop.
  package init(
    endingWith makeFailure: @escaping @Sendable () -> any Error = {
      Diagnostic(code: "interrupted", message: "interrupted", exitCode: .interrupted)
    }
  ) {
    self.makeFailure = makeFailure
  }

  /// Whether somebody has asked since it was last cleared.
  package var isAsked: Bool { flag.load(ordering: .relaxed) }

  /// Asks, from any thread.
  package func ask() {
    flag.store(true, ordering: .relaxed)
    store.withLock { if !$0.isHeld { $0.stop?(true) } }
  }

  /// Lets the next statement run.
  package func clear() {
    flag.store(false, ordering: .relaxed)
    store.withLock { $0.stop?(false) }
  }

  /// Stops a store too, as long as it is open.
  package func include(_ coordinator: PersistentStoreCoordinator?) {
    let stop = coordinator?.stoppingStores()
    store.withLock { $0.stop = stop }
  }

  /// Runs what must not be stopped half-way, also where that was asked for before.
  package func hold<Result>(_ body: () throws -> Result) rethrows -> Result {
    store.withLock {
      $0.isHeld = true
      $0.stop?(false)
    }
    defer {
      store.withLock {
        $0.isHeld = false
        if isAsked { $0.stop?(true) }
      }
    }
    return try body()
  }

  /// - Throws: `interrupted`, once somebody has asked.
  @inline(__always)
  package func check() throws {
    if isAsked { throw makeFailure() }
  }
}
