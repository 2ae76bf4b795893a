import Dispatch

/// Executor of the asynchronous work of stores that programs have written, on threads of its own: so a thread
/// of Swift's pool may wait for it.
final class StoreExecutor: TaskExecutor {
  static let shared = StoreExecutor()

  private let queue = DispatchQueue(label: "graphstore.stores", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
