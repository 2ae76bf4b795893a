extension ManagedObjectContext {
  /// Saves, or else discards everything that is not saved.
  ///
  /// - Returns: Whether the save succeeded; if not, ``lastSaveError`` says why, and ``rollback()`` has been
  ///   called.
  @discardableResult
  public func saveOrRollback() -> Bool {
    checkQueue()
    do {
      try save()
      lastSaveError = nil
      return true
    } catch {
      lastSaveError = error
      rollback()
      return false
    }
  }

  /// Runs a block on the context's queue, then saves or discards what it has changed; waits for the end.
  ///
  /// - Returns: Whether the save succeeded; see ``saveOrRollback()``.
  /// - Throws: What the block throws; what it has changed is discarded then.
  @discardableResult
  public func performChangesAndWait<Failure: Error>(
    _ block: (ManagedObjectContext) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    try performAndWait { () throws(Failure) in try change(block) }
  }

  /// Runs a block on the context's queue, then saves or discards what it has changed.
  ///
  /// ```swift
  /// let isSaved = try await context.performChanges { context in
  ///   try context.insert(Employee.self).name = "Ada"
  /// }
  /// ```
  ///
  /// - Returns: Whether the save succeeded; see ``saveOrRollback()``.
  /// - Throws: What the block throws; what it has changed is discarded then.
  @discardableResult
  nonisolated(nonsending) public func performChanges<Failure: Error>(
    _ block: @escaping @Sendable (ManagedObjectContext) throws(Failure) -> Void
  ) async throws(Failure) -> Bool {
    try await perform { () throws(Failure) in try self.change(block) }
  }

  private func change<Failure: Error>(
    _ block: (ManagedObjectContext) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    do throws(Failure) {
      try block(self)
    } catch {
      rollback()
      throw error
    }
    return saveOrRollback()
  }
}
