extension PersistentStoreCoordinator {
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
      for context in contexts { context.reset() }
    }
    for store in stores where !store.isReadOnly {
      try transactionDepth == 0 ? store.rollback() : store.rollbackToSavepoint()
    }
  }
}
