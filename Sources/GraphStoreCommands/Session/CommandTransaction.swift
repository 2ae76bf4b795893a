import GraphStore

/// A transaction of a command: it holds the store's write lock from its beginning, and it is known at every moment
/// whether it is saved.
enum CommandTransaction {
  /// Runs a body as one transaction; when it throws, everything is taken back.
  ///
  /// Within a transaction it is a part of that one.
  ///
  /// - Parameter progress: how far the command has come when this is committed.
  static func run<Result>(
    on coordinator: PersistentStoreCoordinator, reaching progress: SaveProgress, _ body: () throws -> Result
  ) throws -> Result {
    SaveProgress.begin()
    if coordinator.isInTransaction { return try coordinator.transaction(body) }
    try coordinator.beginTransaction()
    do {
      let result = try body()
      try commit(coordinator, reaching: progress)
      return result
    } catch {
      try? coordinator.rollbackTransaction()
      throw error
    }
  }

  /// Runs a body in a transaction that is taken back in any case.
  static func rehearse<Result>(on coordinator: PersistentStoreCoordinator, _ body: () throws -> Result) throws
    -> Result
  {
    try coordinator.beginTransaction()
    let result = Swift.Result { try body() }
    try coordinator.rollbackTransaction()
    return try result.get()
  }

  /// Commits the transaction that is open.
  static func commit(_ coordinator: PersistentStoreCoordinator, reaching progress: SaveProgress) throws {
    try SaveProgress.commit(reaching: progress) { try coordinator.commitTransaction() }
  }
}
