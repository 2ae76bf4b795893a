#if PostgreSQL
import Dispatch
import Foundation
import Synchronization

/// A thread of a test, and the error with which it ends.
final class ThreadResult: Sendable {
  private let body: @Sendable () throws -> Void
  private let end = DispatchSemaphore(value: 0)
  private let failure = Mutex<(any Error)?>(nil)

  init(_ body: @escaping @Sendable () throws -> Void) { self.body = body }

  func start() {
    Thread { [self] in
      do { try body() } catch { failure.withLock { $0 = error } }
      end.signal()
    }
    .start()
  }

  /// Waits for its end.
  func wait() throws {
    end.wait()
    if let failure = failure.withLock(\.self) { throw failure }
  }
}
#endif
