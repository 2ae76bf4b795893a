import Dispatch
import GraphStorePredicates

extension PersistentStoreCoordinator {
  /// Runs a block that has the coordinator to itself, and returns its result or throws its error.
  ///
  /// It begins once the requests and transactions in progress have ended. Until it ends, requests of other
  /// contexts wait, as do stores that others add or remove, so that nothing runs between the block's own
  /// requests: those of contexts that the block uses, on whatever queue, and of the coordinator. Objects
  /// whose rows are in memory already can be read meanwhile, and other coordinators and processes are not
  /// kept out. The block runs in place, at any depth, also within a transaction or request of the caller's;
  /// several blocks take turns.
  ///
  /// ```swift
  /// let totals = try coordinator.performAndWait {
  ///   try context.performAndWait {
  ///     (try context.count(for: Employee.fetchRequest()), try context.count(for: Project.fetchRequest()))
  ///   }
  /// }
  /// ```
  ///
  /// Waiting ends with the stores' time-outs. A block that uses a context whose queue is busy with a request
  /// that waits for the block continues once that request has timed out: use a context of its own in the
  /// block.
  ///
  /// Any thread may call it. It costs a lock a store; a program that does not call it pays nothing for it.
  ///
  /// - Throws: `store-timeout` where a request, transaction or block of another caller lasts too long, in
  ///   which case the block has not run; what the block throws.
  public func performAndWait<Result>(_ block: () throws -> Result) throws -> Result {
    if exclusiveAccessQueue.ofCaller != nil { return try block() }
    let use = try beginExclusiveUse()
    defer { endExclusiveUse() }
    return try ThreadRole.current.running(blockOf: use, block)
  }

  /// Runs a block that has the coordinator to itself, as ``performAndWait(_:)`` does, on a queue of the
  /// coordinator's own.
  ///
  /// The task waits without holding a thread. Its cancellation does not skip the block, which may check
  /// `Task.isCancelled` itself.
  ///
  /// - Throws: as ``performAndWait(_:)``.
  nonisolated(nonsending) public func perform<Result: Sendable>(
    _ block: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await QueueActor(queue).run { () throws in try self.performAndWait(block) }
  }

  // MARK: The turn

  /// How long a caller waits that needs all stores.
  var longestTimeout: Duration { mounts.map(\.store.options.timeout).max() ?? StoreOptions.defaultTimeout }

  private func beginExclusiveUse() throws -> ExclusiveAccess {
    let use = ExclusiveAccess()
    let deadline = DispatchTime.now() + longestTimeout.dispatchInterval
    try exclusiveAccessQueue.take(use, until: deadline)
    let stores = mounts.map(\.store)
    let own = SessionOwners.ofCaller.flatMap(\.openSessions)
    for store in stores { store.setExclusiveAccess(use) }
    do {
      repeat {
        for store in stores { try store.waitUntilUnused(but: own, until: deadline) }
      } while !begin(use, stores[...], but: own)
    } catch {
      endExclusiveUse()
      throw error
    }
    return use
  }

  /// Begins where no store has a session but the caller's, all checked at once.
  private func begin(
    _ use: ExclusiveAccess, _ stores: ArraySlice<any PersistentStore>, but own: [any ReadSession]
  ) -> Bool {
    guard let store = stores.first else {
      use.begin()
      return true
    }
    return store.isUnused(but: own) { begin(use, stores.dropFirst(), but: own) }
  }

  private func endExclusiveUse() {
    for mount in mounts { mount.store.setExclusiveAccess(nil) }
    exclusiveAccessQueue.end()
  }
}
