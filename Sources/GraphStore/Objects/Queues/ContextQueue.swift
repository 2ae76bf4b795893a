import CGraphStoreShims
import Dispatch
import GraphStorePredicates
import Synchronization

/// The serial queue that a context and its objects belong to.
///
/// The code that runs on it is looked up in the ``ThreadRole`` of the thread and not by a key of the dispatch
/// queue, which is out of sight in a block of another queue that a block of this one waits for, though the
/// thread still has this queue to itself.
final class ContextQueue: @unchecked Sendable {
  enum Kind {
    case main
    case ofItsOwn
    /// The one of a coordinator, on which its own blocks run.
    case coordinator
    /// One thread, which uses the context without blocks.
    case thread(ThreadRole)
  }

  private let kind: Kind
  private let dispatchQueue: DispatchQueue
  private let contextName = Mutex<String?>(nil)
  /// The role that runs a block of the queue, and what that waits for: known while the guard is on.
  private let waits: QueueWaits?

  init(_ kind: Kind, isGuarded: Bool) {
    self.kind = kind
    if case .main = kind {
      dispatchQueue = .main
    } else {
      dispatchQueue = DispatchQueue(label: "graphstore.context")
    }
    waits = isGuarded ? .shared : nil
  }

  var isMain: Bool { if case .main = kind { true } else { false } }

  /// The name of the context, which is asked for from any thread.
  var name: String? {
    get { contextName.withLock { $0 } }
    set { contextName.withLock { $0 = newValue } }
  }

  /// Whether the calling thread may use the context.
  var isCurrent: Bool {
    switch kind {
    case .main: isRunningBlock || ThreadRole.current.isOnMainQueue
    case .ofItsOwn, .coordinator: isRunningBlock
    case .thread(let owner): isRunningBlock || owner === ThreadRole.current
    }
  }

  /// Whether the calling thread is inside of a block of the queue.
  var isRunningBlock: Bool { ThreadRole.current.blocks.contains { $0 === self } }

  /// Appends a block to the queue.
  func async(_ block: @escaping @Sendable () -> Void) {
    dispatchQueue.async { self.run(for: nil, block) }
  }

  /// Runs a block on the queue, in place where the calling thread has it, and waits for its end.
  func sync<Result, Failure: Error>(_ block: () throws(Failure) -> Result) throws(Failure) -> Result {
    let caller = ThreadRole.current
    if isCurrent { return try caller.running(blockOf: self, block) }
    let outcome: Swift.Result<Result, Failure> = caller.waiting {
      let wait = waits?.begin(caller, on: self)
      return dispatchQueue.sync {
        wait?.end()
        return run(for: caller) {
          Swift.Result { () throws(Failure) in try block() }
        }
      }
    }
    return try outcome.get()
  }

  private func run<Result>(for caller: ThreadRole?, _ block: () -> Result) -> Result {
    let role = ThreadRole.current
    return role.running(blockOf: self, for: caller) {
      guard let waits else { return block() }
      waits.enter(self, role)
      defer { waits.leave(self) }
      return block()
    }
  }
}

// MARK: - Names for messages

extension ContextQueue {
  /// The context as messages name it.
  var contextDescription: String { "context \"\(name ?? "")\"" }

  /// The queue as messages name it.
  var description: String {
    switch kind {
    case .main: "the main queue"
    case .ofItsOwn: "its private queue"
    case .coordinator: "the queue of a coordinator"
    case .thread: "the thread that made it"
    }
  }

  /// The queue of the calling thread as messages name it.
  static var descriptionOfCurrent: String {
    let role = ThreadRole.current
    if let queue = role.blocks.lazy.compactMap({ $0 as? ContextQueue }).last {
      if case .coordinator = queue.kind { return queue.description }
      if !queue.isMain { return "the private queue of \(queue.contextDescription)" }
    }
    if role.isOnMainQueue { return "the main queue" }
    let label = unsafe gs_current_queue_label().map { unsafe String(cString: $0) } ?? ""
    // Label that Dispatch reports on threads it did not create.
    let isNone = label.isEmpty || label == "com.apple.root.default-qos.overcommit"
    return isNone ? "a thread without a queue" : "the queue \"\(label)\""
  }
}

/// Actor whose methods run on the queue of a context, so that a block that a task awaits is a part of the
/// task: it sees the task's cancellation and its task-local values.
actor QueueActor {
  private nonisolated let queue: ContextQueue

  init(_ queue: ContextQueue) { self.queue = queue }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe queue.asUnownedSerialExecutor() }

  func run<Result: Sendable, Failure: Error>(
    _ block: @Sendable () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try block()
  }
}

extension ContextQueue: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
