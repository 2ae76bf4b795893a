extension PersistentStoreCoordinator {
  /// Makes several saves one: either all of them reach the stores or none.
  ///
  /// Saves of the given contexts, and of those that ``StoreTransaction/join(_:)``, are savepoints of one transaction, and
  /// what they fetch is read through it. Other contexts read what was committed before and do not wait; if one of them
  /// saves meanwhile, it waits for the transaction's end as long as the stores' time-out says. When the body throws,
  /// everything is taken back and the contexts that saved in it are reset. Where one of the contexts takes part in a
  /// transaction already, this one is a part of that, taken back alone.
  ///
  /// ```swift
  /// try coordinator.transaction(with: context) { _ in
  ///   try context.save()
  ///   try audit(context)
  ///   try context.save()
  /// }
  /// ```
  ///
  /// - Throws: `store-timeout` where another transaction or save goes on for too long, and what the body throws.
  public func transaction<Result>(
    with contexts: ManagedObjectContext..., body: (StoreTransaction) throws -> Result
  ) throws -> Result {
    if let open = contexts.lazy.compactMap(\.transaction).first {
      return try open.savepoint {
        for context in contexts { open.join(context) }
        return try body(open)
      }
    }
    let transaction = try beginTransaction()
    do {
      for context in contexts { transaction.join(context) }
      let result = try body(transaction)
      try transaction.commit()
      return result
    } catch {
      try? transaction.rollback()
      throw error
    }
  }

  /// Opens a transaction for callers whose steps are not within one function; they commit it or take it back.
  package func beginTransaction() throws -> StoreTransaction {
    let transaction = try StoreTransaction(self)
    openTransaction.withLock { $0 = transaction }
    return transaction
  }

  /// The transaction that is open, for who begins them.
  package var currentTransaction: StoreTransaction? { openTransaction.withLock(\.self) }

  func endTransaction(_ transaction: StoreTransaction) {
    openTransaction.withLock { if $0 === transaction { $0 = nil } }
  }

  /// Stops what the stores that are open now are doing, or lets them work again, from any thread at any moment.
  ///
  /// Whatever needs a stopped store fails with `sqlite`, a save and a transaction after it has been taken back.
  package func stoppingStores() -> @Sendable (_ isStopped: Bool) -> Void {
    let stores = mounts.map(\.store)
    return { isStopped in for store in stores { store.setStopped(isStopped) } }
  }
}
