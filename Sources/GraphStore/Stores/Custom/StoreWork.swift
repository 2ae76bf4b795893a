import Dispatch
import Synchronization

/// Asynchronous work of a store for which the calling thread waits.
enum StoreWork {
  private final class Outcome<Result: Sendable>: Sendable {
    let result = Mutex<Swift.Result<Result, any Error>?>(nil)
    let semaphore = DispatchSemaphore(value: 0)

    func finish(_ result: Swift.Result<Result, any Error>) {
      self.result.withLock { $0 = result }
      semaphore.signal()
    }
  }

  /// The interval between two looks for a cancellation, where there may be one.
  private static let pause = DispatchTimeInterval.milliseconds(5)

  /// Runs work, and waits for its end, however long that takes: where a store is written, it alone knows
  /// whether it has been. A cancellation is passed on.
  static func finishing<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) throws -> Result {
    try run(until: .distantFuture, abandonsWork: false, body) {
      GraphStoreError(.storeTimeout, "The store does not answer.", remedy: "Try again.")
    }
  }

  /// Runs work, and waits for its end; it is cancelled and left alone where that takes too long, or the
  /// request is cancelled.
  ///
  /// - Throws: `cancelled`, the failure, and what the work throws.
  static func waiting<Result: Sendable>(
    until deadline: DispatchTime, _ body: @escaping @Sendable () async throws -> Result,
    else failure: () -> GraphStoreError
  ) throws -> Result {
    try run(until: deadline, abandonsWork: true, body, else: failure)
  }

  private static func run<Result: Sendable>(
    until deadline: DispatchTime, abandonsWork: Bool,
    _ body: @escaping @Sendable () async throws -> Result, else failure: () -> GraphStoreError
  ) throws -> Result {
    let outcome = Outcome<Result>()
    let task = Task.detached(executorPreference: StoreExecutor.shared) {
      do { outcome.finish(.success(try await body())) } catch { outcome.finish(.failure(error)) }
    }
    while true {
      let isCancelled = RequestCancellation.isRequested
      if isCancelled {
        task.cancel()
        if abandonsWork { throw GraphStoreError.cancelledRequest }
      }
      let next = isCancelled || !RequestCancellation.isPossible ? deadline : min(deadline, .now() + pause)
      if outcome.semaphore.wait(timeout: next) == .success { break }
      if next == deadline {
        task.cancel()
        throw failure()
      }
    }
    guard let result = outcome.result.withLock(\.self) else { throw failure() }
    return try result.get()
  }
}
