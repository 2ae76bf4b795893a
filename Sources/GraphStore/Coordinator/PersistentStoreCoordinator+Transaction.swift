extension PersistentStoreCoordinator {
  /// Makes several saves one: either all of them reach the stores or none.
  ///
  /// Saves of any context inside the body are savepoints of one transaction, and fetches read through it. Other
  /// threads that use the coordinator wait. When the body throws, everything is taken back and the contexts that saved
  /// in it are reset. Transactions may be nested; an inner one that throws takes back its own part.
  public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try locked {
      let depth = transactionDepth
      for store in stores where !store.isReadOnly {
        try depth == 0 ? store.begin() : store.setSavepoint()
      }
      transactionDepth += 1
      do {
        let result = try body()
        if depth == 0 { try commitAll() } else { try writers { try $0.releaseSavepoint() } }
        transactionDepth = depth
        if depth == 0 { contextsInTransaction = [] }
        return result
      } catch {
        transactionDepth = depth
        try? writers { depth == 0 ? try $0.rollback() : try $0.rollbackToSavepoint() }
        forgetRows()
        resetContexts()
        throw error
      }
    }
  }

  private func commitAll() throws {
    try writers { try $0.commit() }
  }

  private func writers(_ body: (any PersistentStore) throws -> Void) throws {
    for store in stores where !store.isReadOnly { try body(store) }
  }

  /// Rows that were read through the transaction are not true any more.
  func forgetRows() {
    for store in stores { store.rowCache.forgetAll() }
    noteSave()
  }

  private func resetContexts() {
    let contexts = contextsInTransaction
    contextsInTransaction = []
    for context in contexts { context.resetOnQueue() }
  }
}
