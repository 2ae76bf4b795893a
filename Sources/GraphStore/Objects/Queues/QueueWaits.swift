import Dispatch
import GraphStorePredicates
import Synchronization

/// Wait-for graph of the queues of contexts: which thread runs a block of which, and which thread waits for
/// which.
///
/// Kept while the guard is on alone. A wait that lasts is examined once: if it is a part of a cycle, no wait
/// in it ends, and the program is notified (CTX-326).
package final class QueueWaits: Sendable {
  package static let shared = QueueWaits()

  /// How long a wait lasts before it is examined.
  package let patience = Mutex<DispatchTimeInterval>(.seconds(10))

  private struct State {
    /// The role that runs a block of a queue.
    var runners: [ObjectIdentifier: ThreadRole] = [:]
    /// The queue that a role waits for.
    var awaited: [ObjectIdentifier: ContextQueue] = [:]
  }

  private let state = Monitor(State())

  /// A wait that has begun.
  struct Wait {
    let waits: QueueWaits
    let role: ThreadRole
    let alarm: DispatchWorkItem?

    /// The queue is reached.
    func end() {
      alarm?.cancel()
      waits.state.withState { $0.awaited[ObjectIdentifier(role)] = nil }
    }
  }

  func enter(_ queue: ContextQueue, _ role: ThreadRole) {
    state.withState { $0.runners[ObjectIdentifier(queue)] = role }
  }

  func leave(_ queue: ContextQueue) {
    state.withState { $0.runners[ObjectIdentifier(queue)] = nil }
  }

  /// Notes that a role begins to wait for a queue.
  ///
  /// The thread that closes a cycle finds the queue busy, so that no other wait needs an alarm.
  func begin(_ role: ThreadRole, on queue: ContextQueue) -> Wait {
    let isBusy = state.withState { state in
      state.awaited[ObjectIdentifier(role)] = queue
      return state.runners[ObjectIdentifier(queue)] != nil
    }
    guard isBusy else { return Wait(waits: self, role: role, alarm: nil) }
    let alarm = DispatchWorkItem { [self] in
      guard let circle = circle(of: role) else { return }
      ConcurrencyGuard.report(
        circle.map(\.contextDescription).joined(separator: " and ")
          + " wait for each other in performAndWait and never go on")
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + patience.withLock { $0 }, execute: alarm)
    return Wait(waits: self, role: role, alarm: alarm)
  }

  /// The queues that lead from what a role waits for back to the role; nil where they do not.
  func circle(of role: ThreadRole) -> [ContextQueue]? {
    state.withState { state in
      var queues: [ContextQueue] = []
      var waiting = role
      while let queue = state.awaited[ObjectIdentifier(waiting)],
        let runner = state.runners[ObjectIdentifier(queue)], !queues.contains(where: { $0 === queue })
      {
        queues.append(queue)
        if runner === role { return queues }
        waiting = runner
      }
      return nil
    }
  }
}
