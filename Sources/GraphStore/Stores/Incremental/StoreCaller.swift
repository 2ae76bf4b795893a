import Dispatch
import Foundation
import GraphStorePredicates
import Synchronization

/// Caller of the asynchronous methods of one store for threads that wait for the answers.
final class StoreCaller: Sendable {
  /// What is asked of the store.
  enum Purpose {
    /// It may be given up at any time.
    case reading
    /// Its outcome has to be known: it is not given up before the time-out, and then asked to end.
    case writing
  }

  private struct State {
    var isStopped = false
    var callCount = 0
  }

  /// The store in messages.
  let name: String
  let timeout: Duration
  private let state = Mutex(State())

  init(name: String, timeout: Duration) {
    self.name = name
    self.timeout = timeout
  }

  /// The number of calls of the store.
  var callCount: Int { state.withLock(\.callCount) }

  /// Has calls that read end, and refuses others, or takes calls again.
  func setStopped(_ isStopped: Bool) { state.withLock { $0.isStopped = isStopped } }

  /// - Throws: `sqlite`, as other stores do, while the store is stopped.
  func checkStopped() throws { if state.withLock(\.isStopped) { throw interrupted } }

  /// - Throws: `sqlite` while the store is stopped, `cancelled` in a task that was cancelled.
  func checkRequest() throws {
    try checkStopped()
    if RequestCancellation.isRequested { throw GraphStoreError.cancelledRequest }
  }

  /// Calls the store, and waits for the answer.
  ///
  /// - Parameters:
  ///   - work: What the store does, as the subject of a sentence: `Fetching Employee`.
  ///   - failure: The code of a failure of the store's.
  /// - Throws: `store-timeout`; `cancelled`, and `sqlite` for an interruption, where the call only reads;
  ///   else the error of the store, or one with the code of a failure and the store's own error below it.
  func call<Answer: Sendable>(
    _ work: @autoclosure () -> String, for purpose: Purpose = .reading,
    failure: GraphStoreError.Code = .storeOperationFailed,
    _ body: @escaping @Sendable () async throws -> Answer
  ) throws -> Answer {
    if purpose == .reading { try checkStopped() }
    state.withLock { $0.callCount += 1 }
    let outcome = Outcome<Answer>()
    let task = Task(executorPreference: StoreExecutor.shared) {
      do { outcome.end(.success(try await body())) } catch { outcome.end(.failure(error)) }
    }
    do {
      return try wait(for: outcome, purpose) { task.cancel() }
    } catch {
      task.cancel()
      throw named(error, work(), failure)
    }
  }

  private func wait<Answer>(
    for outcome: Outcome<Answer>, _ purpose: Purpose, cancelling cancel: () -> Void
  ) throws -> Answer {
    let deadline = DispatchTime.now() + timeout.dispatchInterval
    while true {
      if let answer = try outcome.wait(until: min(deadline, .now() + Self.interval)) { return answer }
      if purpose == .reading { try checkRequest() }
      if DispatchTime.now() >= deadline { break }
    }
    cancel()
    // A store that ends when it is asked to says what has become of a save.
    if purpose == .writing, let answer = try outcome.wait(until: .now() + timeout.dispatchInterval) {
      return answer
    }
    throw TimedOut(purpose: purpose)
  }

  /// How often a waiting thread looks whether the request has been cancelled.
  private static let interval = DispatchTimeInterval.milliseconds(20)

  private struct TimedOut: Error {
    let purpose: Purpose
  }

  // MARK: Errors

  private var interrupted: GraphStoreError {
    GraphStoreError(.sqlite, "\(name) was interrupted.", remedy: "Try again.")
  }

  private func named(_ error: any Error, _ work: String, _ code: GraphStoreError.Code) -> any Error {
    switch error {
    case let timedOut as TimedOut: return timeoutError(work, timedOut.purpose)
    case is GraphStoreError, is IncrementalStoreConflict: return error
    default:
      return GraphStoreError(
        code, "\(work) has failed: \(error).",
        remedy: code == .storeSaveFailed
          ? "Nothing was written; save again once the cause is gone."
          : "Try again once the cause is gone, which is below this error.", underlying: error)
    }
  }

  private func timeoutError(_ work: String, _ purpose: Purpose) -> GraphStoreError {
    GraphStoreError(
      .storeTimeout, "\(work) has taken longer than \(timeout).",
      remedy: purpose == .reading
        ? "Try again, or open the store with a longer time-out."
        : "Whether it was written is not known: refresh the objects, and save again what is missing.")
  }
}

/// Outcome of a call, for the one thread that waits for it.
private final class Outcome<Answer: Sendable>: Sendable {
  private let result = Mutex<Result<Answer, any Error>?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  func end(_ result: Result<Answer, any Error>) {
    self.result.withLock { $0 = result }
    isThere.signal()
  }

  /// The answer; nil where there is none by then.
  func wait(until deadline: DispatchTime) throws -> Answer? {
    guard isThere.wait(timeout: deadline) == .success else { return nil }
    return try result.withLock(\.self)?.get()
  }
}
