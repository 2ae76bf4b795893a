import Foundation
import GraphStorePredicates

/// Check that a context and its objects are used on the context's queue alone.
///
/// On in debug builds and off in release builds; `GRAPHSTORE_CONCURRENCY_DEBUG` set to 1 or 0 overrides both
/// (CTX-332), and `Diagnostics.checksQueues` all of them. A context has it on or off for its life. Off, a
/// guarded call costs one branch, and values that typed keys read and set in place not even that: only a
/// guarded object says that nothing of it can be read in place.
enum ConcurrencyGuard {
  /// Whether contexts are guarded that are made without another wish.
  static var isOn: Bool { Diagnostics.checksQueues }

  /// Whether assertions are checked.
  static let isDebugBuild: Bool = {
    var isChecked = false
    func check() -> Bool {
      isChecked = true
      return true
    }
    assert(check())
    return isChecked
  }()

  /// Reports a violation, and ends the program where no handler takes the message.
  static func report(_ violation: String) {
    let message = "GraphStore: error: concurrency violation: \(violation)"
    if let receiver = Diagnostics.onConcurrencyViolation { return receiver(message) }
    let backtrace = Thread.callStackSymbols.joined(separator: "\n")
    try? FileHandle.standardError.write(contentsOf: Data("\(message)\n\(backtrace)\n".utf8))
    abort()
  }
}

extension ContextQueue {
  /// Reports a use of something that belongs to the queue from elsewhere.
  @inline(never)
  func check(_ subject: @autoclosure () -> String) {
    if isCurrent { return }
    ConcurrencyGuard.report(
      "\(subject()) of \(contextDescription) used from \(Self.descriptionOfCurrent), belongs to \(description)"
    )
  }
}

extension ManagedObjectContext {
  /// Guards a call of the context (CTX-331).
  @inline(__always)
  func checkQueue(_ call: StaticString = #function) {
    if registry.isGuarded { queue.check("\(call)") }
  }
}

extension ManagedObject {
  /// Guards a use of the object's values, relationships or state (CTX-331).
  @inline(__always)
  final func checkQueue() {
    if isGuarded { checkQueueOfContext() }
  }

  @inline(__always)
  final var isGuarded: Bool { unsafe heldRegistry._withUnsafeGuaranteedRef { $0.isGuarded } }

  @inline(never)
  private final func checkQueueOfContext() {
    context?.queue.check(objectID.shortForm)
  }
}
