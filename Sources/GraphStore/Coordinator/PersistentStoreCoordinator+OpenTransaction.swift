extension PersistentStoreCoordinator {
  /// Whether a transaction is open, for the thread that opens them.
  package var isInTransaction: Bool { transactionDepth > 0 }

  /// Opens a transaction that lasts until ``commitTransaction()`` or ``rollbackTransaction()``, for callers whose steps
  /// are not within one function. Only the thread that opened it may use the coordinator until then.
  package func beginTransaction() throws {
    lock.lock()
    do {
      for store in stores where !store.isReadOnly {
        try transactionDepth == 0 ? store.begin() : store.setSavepoint()
      }
      transactionDepth += 1
    } catch {
      lock.unlock()
      throw error
    }
  }

  /// Makes the saves since ``beginTransaction()`` durable; if that fails the transaction stays open.
  package func commitTransaction() throws {
    for store in stores where !store.isReadOnly {
      try transactionDepth == 1 ? store.commit() : store.releaseSavepoint()
    }
    transactionDepth -= 1
    if transactionDepth == 0 { contextsInTransaction = [] }
    lock.unlock()
  }

  /// Takes back every save since ``beginTransaction()``, and resets the contexts that saved.
  package func rollbackTransaction() throws {
    transactionDepth -= 1
    defer { lock.unlock() }
    let contexts = contextsInTransaction
    contextsInTransaction = []
    defer {
      forgetRows()
      for context in contexts { context.resetOnQueue() }
    }
    for store in stores where !store.isReadOnly {
      try transactionDepth == 0 ? store.rollback() : store.rollbackToSavepoint()
    }
  }

  /// Stops what the stores that are open now are doing, or lets them work again, from any thread at any moment.
  ///
  /// Whatever needs a stopped store fails with `sqlite`, a save and a transaction after it has been taken back.
  package func stoppingStores() -> @Sendable (_ isStopped: Bool) -> Void {
    let stores = locked { self.stores }
    return { isStopped in for store in stores { store.setStopped(isStopped) } }
  }
}
