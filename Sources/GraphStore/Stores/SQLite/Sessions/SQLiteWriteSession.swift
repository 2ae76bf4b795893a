import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// The connection that writes, inside one transaction that has the file's write lock from its beginning.
final class SQLiteWriteSession: SQLiteSession, WriteSession, ExplainingSession, IndexReadingSession,
  IndexWritingSession
{
  /// Whether several saves are one, so that rows read are stored in the row cache's overlay.
  let isShared: Bool
  private var hasEnded = false
  /// Writes the files of values with external storage; nil where no entity has such.
  private(set) lazy var externalData =
    layout.hasExternalData ? ExternalDataWriter(store.externalStorage, store.externalDataFolder) : nil

  /// Records saves in the history of the store; nil where it keeps none.
  private(set) var history: SQLiteHistoryWriter?

  override var origin: RowCache.Origin { isShared ? .transaction : .commit }

  /// - Throws: `store-replaced` where the file is not the one that was opened any more: what would be written
  ///   to it would be lost (STO-170). It is checked again before the commit: a transaction may be open for
  ///   long, and its log is found by the path, where another file may be by then.
  init(_ store: SQLiteStore, isShared: Bool) throws {
    self.isShared = isShared
    try store.checkProcess()
    super.init(store, try store.reporting { try store.pool.beginWriting() })
    do {
      try store.checkFile(connection)
      try store.carryModel(connection)
      try renewHistory()
    } catch {
      try? rollback()
      throw error
    }
  }

  /// Whether the transaction has begun or ended the history of the store.
  private var hasChangedHistory = false

  /// Looks at which history the store has, once the session has begun or ended it.
  func renewChangedHistory() throws {
    hasChangedHistory = true
    try renewHistory()
  }

  private func renewHistory() throws {
    history = try store.history(connection).map { SQLiteHistoryWriter(self, $0) }
  }

  // MARK: Ending

  func commit() throws {
    try store.checkFile(connection)
    try externalData?.flush()
    let freePages = store.freePageCount(connection)
    try commitNamingTransactions()
    store.hasCommitted.store(true, ordering: .relaxed)
    externalData?.commit(rowCache.commitCount)
    store.endCarryingModel()
    if freePages > SQLiteStore.freePageLimit { store.giveBackFreePages(connection) }
    end()
    store.removeRetiredData()
    store.pool.noteCommit()
  }

  /// Commits, with the transactions of the history known as the store's own before anybody can see them.
  private func commitNamingTransactions() throws {
    let numbers = history?.transactions ?? []
    store.ownTransactions.withLock { own in numbers.forEach { own.append($0) } }
    do { try reporting { try connection.commit() } } catch {
      // Another process is going to give these numbers.
      if let first = numbers.first { store.ownTransactions.withLock { $0.remove(from: first) } }
      throw error
    }
  }

  func rollback() throws {
    guard !hasEnded else { return }
    defer { end() }
    // Before the rows: a file that is left is a smaller evil than a row without its file.
    defer { externalData?.rollback() }
    // What was found of a history that the transaction began is not so any more.
    if hasChangedHistory { store.forgetHistory() }
    try reporting { try connection.rollback() }
  }

  private func end() {
    hasEnded = true
    // A transaction that is still open could not be rolled back: its connection may not be used any more.
    if connection.isInTransaction { connection.close() }
    store.pool.giveBackWriter(pooled)
  }

  // MARK: Savepoints

  /// - Throws: `store-save-failed` where SQLite has rolled back the transaction itself, as it does when a
  ///   disk is full: a savepoint would then be a transaction of its own.
  func setSavepoint() throws {
    guard connection.isInTransaction else {
      throw GraphStoreError(
        .storeSaveFailed, "The transaction of \(path) was taken back after an earlier error.",
        remedy: "Leave the transaction and begin it again.")
    }
    try reporting { try connection.execute("SAVEPOINT gs_save") }
    externalData?.setSavepoint()
    history?.setSavepoint()
  }

  func releaseSavepoint() throws {
    try reporting { try connection.execute("RELEASE gs_save") }
    externalData?.releaseSavepoint()
    history?.releaseSavepoint()
  }

  func rollbackToSavepoint() throws {
    try reporting {
      try connection.execute("ROLLBACK TO gs_save")
      try connection.execute("RELEASE gs_save")
    }
    externalData?.rollbackToSavepoint()
    history?.rollbackToSavepoint()
  }

  // MARK: Metadata and indexes

  func setMetadata(_ values: [String: Value?]) throws {
    try reporting {
      var metadata = try SQLiteLayout.readMetadata(connection)
      try metadata.setUserValues(values)
      try SQLiteLayout.writeMetadata(connection, metadata)
    }
  }

  /// Makes the indexes that the model asks for and the file lacks, and removes those that the model does not
  /// have.
  ///
  /// - Throws: `constraint-conflict` when a uniqueness constraint has no index any more and rows break it.
  func rebuildIndexes() throws -> IndexChanges {
    try reporting {
      let comparison = try SQLiteIndexComparison(connection, schema)
      for name in comparison.surplus { try connection.execute("DROP INDEX \(SQLName.quoted(name))") }
      for index in comparison.missing { try connection.execute(index.sql) }
      try recordIndexedFunctions()
      return IndexChanges(made: comparison.missing.map(\.name), removed: comparison.surplus)
    }
  }

  func finishDeferredMigration(onePiece: Bool) throws {
    try reporting {
      let missing = try SQLiteIndexComparison(connection, schema).missing
      let made = onePiece ? missing.prefix(1) : missing[...]
      for index in made { try connection.execute(index.sql) }
      guard made.count == missing.count else { return }
      var metadata = try SQLiteLayout.readMetadata(connection)
      metadata.values[StoreMetadata.Key.deferred] = nil
      try SQLiteLayout.writeMetadata(connection, metadata)
    }
  }

  /// Writes down the version of the functions in the indexes, where the store says none.
  private func recordIndexedFunctions() throws {
    guard try !SQLiteIndexedFunctions.indexes(schema).isEmpty else { return }
    var metadata = try SQLiteLayout.readMetadata(connection)
    guard metadata.format != nil,
      metadata.values[StoreMetadata.Key.functions] != SQLiteIndexedFunctions.version
    else { return }
    metadata.values[StoreMetadata.Key.functions] = SQLiteIndexedFunctions.version
    try SQLiteLayout.writeMetadata(connection, metadata)
  }
}
