import Foundation
import GraphStore

/// Repetition of a change that has met those of other writers, until a deadline.
struct ChangeRepetition {
  private let deadline: ContinuousClock.Instant
  private var attempts = 0

  /// - Parameter duration: For how long a change is tried.
  init(for duration: Duration) { deadline = .now + duration }

  /// Whether a change may succeed that has failed: after a conflict, and once where something unique was
  /// taken, which the change may find now.
  func isWorthwhile(after error: any Error) -> Bool {
    switch (error as? GraphStoreError)?.code {
    case .mergeConflict: ContinuousClock.now < deadline
    case .constraintConflict: attempts == 0
    default: false
    }
  }

  /// Lets the others come to an end.
  mutating func wait() {
    attempts += 1
    Thread.sleep(forTimeInterval: .random(in: 0...0.002) * Double(min(attempts, 20)))
  }
}
