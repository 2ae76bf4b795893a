extension PersistentStoreCoordinator {
  /// Waits until all blocks have run that the coordinator and its contexts have been given so far, and with them the saves that
  /// they make (CTX-117).
  ///
  /// A program calls it before it ends. Called inside of a block of one of those queues, or for a main-queue context on the
  /// main thread, what waits there is not waited for; called elsewhere, blocks of a main-queue context run only while the main
  /// queue is served.
  public func finishPendingWork() {
    for context in contexts.all { context.queue.sync {} }
    queue.sync {}
  }
}
