import Foundation
import Synchronization

/// What the library tells beside what it throws.
public enum Diagnostics {
  private static let receiver = Mutex<(@Sendable (any Error) -> Void)?>(nil)
  private static let violationReceiver = Mutex<(@Sendable (String) -> Void)?>(nil)
  private static let told = Mutex<Set<String>>([])
  /// Further messages are not told by themselves.
  private static let mostMessages = 1000

  /// Takes the errors of typed accessors, which cannot throw, at once and on the thread concerned; the next save of the
  /// context throws the first of them all the same (OBJ-173).
  ///
  /// Nil writes each message as a line to standard error, once a process.
  public static var onDeferredError: (@Sendable (any Error) -> Void)? {
    get { receiver.withLock { $0 } }
    set { receiver.withLock { $0 = newValue } }
  }

  /// Takes the message of each use of a context or an object outside of the context's queue, on the thread of that use,
  /// which then goes on (CTX-335, DGN-095): for tests that have it found.
  ///
  /// Nil stops the program at such a use, with the message and a backtrace on standard error. Uses are looked at in debug
  /// builds, and where `GRAPHSTORE_CONCURRENCY_DEBUG` is 1; see <doc:Concurrency>.
  public static var onConcurrencyViolation: (@Sendable (String) -> Void)? {
    get { violationReceiver.withLock { $0 } }
    set { violationReceiver.withLock { $0 = newValue } }
  }

  static func tellDeferred(_ error: any Error) {
    if let receiver = onDeferredError { return receiver(error) }
    let message = "\(error)"
    let isNew = told.withLock { $0.count < mostMessages && $0.insert(message).inserted }
    if isNew { try? FileHandle.standardError.write(contentsOf: Data("\(message)\n".utf8)) }
  }
}

extension ManagedObject {
  /// Runs what an accessor does that cannot throw; nil where it failed, and the error is kept.
  @discardableResult
  final func deferring<Result>(_ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch {
      keepDeferred(error)
      return nil
    }
  }

  /// Keeps an error that an accessor cannot throw for the next save of the context, and tells it.
  @inline(never)
  final func keepDeferred(_ error: any Error) {
    if state.contains([.refaulting, .invalidated]) { return }
    // A deinit runs on whatever thread it is, where the context may not be touched.
    guard let context, !isBeingReleased else { return Diagnostics.tellDeferred(error) }
    context.keepDeferred(error)
  }
}

extension ManagedObjectContext {
  /// More errors than these are told, but not kept: the first is what a save throws.
  private static let mostDeferredErrors = 1000

  /// Keeps an error that nobody can be thrown for the next save, and tells it.
  func keepDeferred(_ error: any Error) {
    if deferredErrors.count < Self.mostDeferredErrors { deferredErrors.append(error) }
    Diagnostics.tellDeferred(error)
  }
}
