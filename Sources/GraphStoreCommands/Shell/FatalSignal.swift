import Synchronization

/// The first signal that asked the program to end.
final class FatalSignal: Sendable {
  private let stored = Mutex<Int32?>(nil)

  var signal: Int32? { stored.withLock { $0 } }

  func set(_ signal: Int32) {
    stored.withLock { $0 = $0 ?? signal }
  }
}
