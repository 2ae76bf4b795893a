import Foundation
import Synchronization

/// A block on a thread of its own: blocking it takes no thread from other tests.
final class Background: Sendable {
  private let outcome = Mutex<Result<Void, any Error>?>(nil)
  private let done = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () throws -> Void) {
    Thread.detachNewThread { [self] in
      let result = Result { try body() }
      outcome.withLock { $0 = result }
      done.signal()
    }
  }

  /// Waits for the block's end and throws what it threw.
  func value() throws {
    done.wait()
    done.signal()
    try outcome.withLock { $0 }?.get()
  }
}
