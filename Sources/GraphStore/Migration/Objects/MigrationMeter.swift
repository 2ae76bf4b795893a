import Foundation
import Synchronization

/// Communication of other threads with a running migration: its progress, and its cancellation (MIG-292,
/// MIG-293).
final class MigrationSignal: Sendable {
  private struct State {
    var fraction = 0.0
    var cancellation: (any Error)?
    var isCancelled = false
  }

  private let state = Mutex(State())
  let progress: Progress

  init() {
    progress = Progress(totalUnitCount: Self.units)
    progress.isCancellable = true
  }

  fileprivate static let units: Int64 = 1000

  var fraction: Double { state.withLock(\.fraction) }

  func cancel(_ error: (any Error)?) {
    state.withLock {
      $0.isCancelled = true
      $0.cancellation = $0.cancellation ?? error
    }
  }

  /// Begins another run.
  func reset() { state.withLock { $0 = State() } }

  /// Sets the progress of the run; it never decreases.
  func advance(to fraction: Double) {
    let reached = state.withLock { state in
      state.fraction = max(state.fraction, fraction)
      return state.fraction
    }
    progress.completedUnitCount = Int64(reached * Double(Self.units))
  }

  /// - Throws: `migration-cancelled` where the run was cancelled.
  func check() throws {
    let (isCancelled, cause) = state.withLock { ($0.isCancelled, $0.cancellation) }
    guard isCancelled || progress.isCancelled else { return }
    throw GraphStoreError(
      .migrationCancelled, "The migration was cancelled\(cause.map { ": \($0)" } ?? "").",
      remedy: "The store is as it was; run the migration again to migrate it.", underlying: cause)
  }
}

/// Counts the work of a run.
final class MigrationMeter {
  private let signal: MigrationSignal
  private var units = 1.0
  private var done = 0.0

  private let onProgress: ((Double) throws -> Void)?

  init(_ signal: MigrationSignal, onProgress: ((Double) throws -> Void)?) {
    self.signal = signal
    self.onProgress = onProgress
  }

  func begin(units: Int) { self.units = max(1, Double(units)) }

  /// Counts work that was done.
  ///
  /// - Throws: `migration-cancelled`.
  func advance(_ units: Int) throws {
    done += Double(units)
    // Complete is only what was committed.
    signal.advance(to: min(done / self.units, 0.99))
    try onProgress?(signal.fraction)
    try signal.check()
  }
}
