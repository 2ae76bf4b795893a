import Dispatch
import Foundation

/// Thread-local record of whose work a thread does, and which serial queues it runs blocks of.
///
/// A thread to which another one moves its work, for which it then waits, adopts the other's role: what is
/// confined to a queue or a thread may be used in the moved work as before. Only the thread that works
/// changes a role, so that it takes no lock.
package final class ThreadRole: @unchecked Sendable {
  /// The owners of the blocks that run, outermost first.
  package private(set) var blocks: [AnyObject] = []
  private var isMain = Thread.isMainThread
  /// Asked whether what runs is to end, besides the task that it is a part of; nil where nobody may end it.
  package var cancellation: (() -> Bool)?

  private init() {}

  /// The role of the calling thread.
  package static var current: ThreadRole {
    if let known = unsafe pthread_getspecific(key) {
      return unsafe Unmanaged<ThreadRole>.fromOpaque(known).takeUnretainedValue()
    }
    let made = ThreadRole()
    made.takeOver()
    return made
  }

  /// Whether the main queue's work is done: by the main thread or, once that has ended, by one that serves
  /// the queue.
  package var isOnMainQueue: Bool { isMain || DispatchQueue.getSpecific(key: Self.mainQueueKey) == true }

  /// Makes this the role of the calling thread, which has been started for its work.
  package func takeOver() {
    unsafe pthread_setspecific(Self.key, Unmanaged.passRetained(self).toOpaque())
  }

  /// Runs a body that waits for another thread, or for a block of another queue, to do some of this role's
  /// work.
  package func waiting<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Whether the main queue is served cannot be seen from inside of the other.
    let wasMain = isMain
    isMain = isOnMainQueue
    defer { isMain = wasMain }
    return try body()
  }

  /// Runs a block of a serial queue.
  ///
  /// - Parameter caller: the role that waits for the block, whose queues are the block's too.
  package func running<Result, Failure: Error>(
    blockOf owner: AnyObject, for caller: ThreadRole? = nil, _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = blocks
    if let caller, caller !== self { blocks += caller.blocks }
    blocks.append(owner)
    defer { blocks = outer }
    return try block()
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key) { role in
      if let role = unsafe role { unsafe Unmanaged<ThreadRole>.fromOpaque(role).release() }
    }
    return key
  }()

  private static let mainQueueKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
}
