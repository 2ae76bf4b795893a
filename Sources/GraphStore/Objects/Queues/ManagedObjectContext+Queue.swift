import GraphStorePredicates

extension ManagedObjectContext {
  /// The kind of queue that a context belongs to.
  public enum ConcurrencyType: Sendable {
    /// The main dispatch queue, that is the main actor: for user interfaces, and for programs that do all
    /// their work on the main thread. On the main thread the context is used without `perform`.
    case mainQueue
    /// A serial queue of the context's own, on which only blocks passed to the context run.
    case privateQueue
  }

  /// When a block is run that is passed to a context on whose queue the caller is already.
  public enum ScheduledTaskType: Sendable {
    /// At once and in place; from elsewhere in its turn.
    case immediate
    /// In its turn, after all blocks that were enqueued before.
    case enqueued
  }

  /// The kind of the queue, set when the context is made; may be read from anywhere.
  public var concurrencyType: ConcurrencyType { queue.isMain ? .mainQueue : .privateQueue }

  /// Appends a block to the context's queue and returns at once, also on that queue. ``perform(schedule:_:)``
  /// waits for the block instead: a program whose main function ends does not wait for blocks that were only
  /// appended.
  ///
  /// Blocks run in the order in which they are enqueued, and the context lives until they have run. When the
  /// block has ended, pending changes are processed (``processPendingChanges()``); what that throws is
  /// reported to ``Diagnostics/onDeferredError`` and thrown by the next save. May be called from anywhere; a
  /// main-queue context runs blocks only while the main queue is served.
  public func enqueue(_ block: @escaping @Sendable () -> Void) {
    queue.async { self.runToEnd(block) }
  }

  /// Runs a block on the context's queue and returns its result, or throws its error.
  ///
  /// The task waits without holding a thread. Its cancellation does not skip the block, which may check
  /// `Task.isCancelled` itself; a fetch or a count in it ends with `cancelled`, also while its statement
  /// runs. Objects cannot be handed in or out, as they are not `Sendable`: hand over identifiers. When a
  /// block has ended that was appended, pending changes are processed; what that throws is thrown where the
  /// block has not failed and may throw it, and by the next save else.
  ///
  /// - Parameters:
  ///   - schedule: Whether the block runs in place if the caller is on the queue already.
  ///   - block: The block.
  /// - Throws: what the block throws.
  nonisolated(nonsending) public func perform<Result: Sendable, Failure: Error>(
    schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    if schedule == .immediate, queue.isCurrent { return try performAndWait(block) }
    return try await QueueActor(queue).run { () throws(Failure) in try self.runToEnd(block) }
  }

  /// Runs a block on the context's queue, waits for its end, and returns its result or throws its error.
  ///
  /// On the queue itself the block runs in place, at any depth, also through blocks of other contexts that
  /// wait for each other. At the end of the outermost one pending changes are processed; what that throws is
  /// thrown where the block has not failed and may throw it, and by the next save else.
  ///
  /// Two private contexts whose blocks wait for each other wait for ever; with the guard on that is reported
  /// after ten seconds. From another thread, a main-queue context runs the block when the main queue is next
  /// served, and never if it is not.
  public func performAndWait<Result: Sendable, Failure: Error>(
    _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if queue.isRunningBlock { return try block() }
    return try queue.sync { () throws(Failure) in try runToEnd(block) }
  }

  /// Runs an outermost block, and processes what it has changed, whether or not it has failed.
  private func runToEnd<Result, Failure: Error>(
    _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result: Result
    do throws(Failure) {
      result = try block()
    } catch {
      if let second = errorOfProcessing() { keepDeferred(second) }
      throw error
    }
    if let error = errorOfProcessing() {
      if let error = error as? Failure { throw error }
      keepDeferred(error)
    }
    return result
  }

  private func errorOfProcessing() -> (any Error)? {
    // A save does it itself, also for what its hooks change in blocks.
    if saving.isRunning { return nil }
    do {
      try processPendingChanges()
      return nil
    } catch {
      return error
    }
  }

  /// Runs a body on the context's queue: now where the caller has it, else in its turn.
  func onQueue(_ body: @escaping @Sendable (ManagedObjectContext) -> Void) {
    if queue.isCurrent { body(self) } else { enqueue { body(self) } }
  }
}

extension ManagedObjectContext {
  /// Makes a context that the calling thread, and no other, uses without blocks, for tests that are as long
  /// as one function. The guard holds it to that thread. There is no such kind for programs (CTX-012).
  package convenience init(confinedToThread coordinator: PersistentStoreCoordinator) {
    self.init(coordinator, .thread(.current), isGuarded: ConcurrencyGuard.isOn)
  }
}
