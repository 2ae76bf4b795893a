import Dispatch
import Foundation
import Synchronization

/// Executor of the asynchronous methods of stores: threads of its own.
///
/// Threads of contexts, and of tasks, wait for what these methods return. Were the methods run by the same
/// threads, all of which may be waiting, nothing would ever go on.
final class StoreExecutor: TaskExecutor {
  static let shared = StoreExecutor()

  private struct State {
    var jobs: [UnownedJob] = []
    var next = 0
    var threads = 0
    /// The threads that wait for a job.
    var idle = 0
  }

  /// The most threads. A store whose methods hold theirs up, instead of suspending, needs one for each call.
  private static let limit = 64
  /// How long a thread waits for another job before it ends.
  private static let patience = DispatchTimeInterval.seconds(5)

  private let state = Mutex(State())
  private let available = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsThread = state.withLock { state in
      state.jobs.append(job)
      guard state.jobs.count - state.next > state.idle, state.threads < Self.limit else { return false }
      state.threads += 1
      return true
    }
    if needsThread { Thread.detachNewThread { self.work() } }
    available.signal()
  }

  private func work() {
    while true {
      state.withLock { $0.idle += 1 }
      let isWoken = available.wait(timeout: .now() + Self.patience) == .success
      let (job, isLast) = state.withLock { state -> (UnownedJob?, Bool) in
        state.idle -= 1
        guard state.next < state.jobs.count else {
          if !isWoken { state.threads -= 1 }
          return (nil, !isWoken)
        }
        let job = state.jobs[state.next]
        state.next += 1
        if state.next == state.jobs.count {
          state.jobs.removeAll(keepingCapacity: true)
          state.next = 0
        }
        return (job, false)
      }
      if let job { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
      if isLast { return }
    }
  }
}
