import GraphStorePredicates

extension PersistentStoreReference {
  /// Writes the write-ahead log into the store's file.
  ///
  /// SQLite does so by itself from time to time, and when the store is closed: it is of use before a file is
  /// copied by other means, or where `wal_autocheckpoint` is 0. Any thread may call it, beside requests and
  /// saves; ``CheckpointMode/passive`` waits for nobody, the others as long as the store's time-out.
  ///
  /// - Returns: How much of the log is in the file; nothing for a store without a log.
  /// - Throws: `read-only-store`, `unknown-store` once it was removed, `not-supported` for a store that is no
  ///   file of SQLite.
  @discardableResult
  public func checkpoint(_ mode: CheckpointMode = .passive) throws -> CheckpointResult {
    try maintained().checkpoint(mode)
  }

  /// Writes the store's file anew, so that it has no free pages and its records lie together.
  ///
  /// It takes time and room as the file is large: up to twice its size on the disk meanwhile. Requests are
  /// answered beside it, saves wait. With the pragmas `page_size` and `auto_vacuum` the file has these from
  /// then on; another size of pages needs that no other connection has the file open.
  ///
  /// - Throws: `store-timeout` where somebody else writes for longer than the store's time-out, `disk-full`;
  ///   as ``checkpoint(_:)``. The store is as it was then.
  public func vacuum() throws { try maintained().vacuum() }

  /// Gathers the statistics by which SQLite chooses the indexes of statements, reading each index once.
  ///
  /// A store that was written to renews what has grown old when it is closed. Requests are answered beside
  /// it, saves wait.
  ///
  /// - Throws: as ``vacuum()``.
  public func analyze() throws { try maintained().analyze() }

  /// The pragmas of SQLite that hold for the store, by name: each that ``StoreOptions/sqlitePragmas`` can
  /// set, as SQLite reads it back.
  ///
  /// - Throws: what reading throws; as ``checkpoint(_:)``.
  public var effectivePragmas: [String: Value] {
    get throws { try maintained().effectivePragmas() }
  }

  private func maintained() throws -> any MaintainedStore {
    let store = try owner.mounted(self).store
    guard let maintained = store as? any MaintainedStore else {
      throw GraphStoreError(
        .notSupported, "\(store.path), of type \(store.typeName), is no file of SQLite.",
        remedy: "Only stores of SQLite have a log, free pages and statistics to take care of.")
    }
    return maintained
  }
}
