import GraphStoreModel
import GraphStoreSQLite

/// What is known of a file's history, and of which schema of the file that is known.
struct SQLiteHistoryState: Sendable {
  /// The number that SQLite raises with each change of the schema.
  var schemaVersion: Int64 = -1
  /// The history; nil where the file has none.
  var history: SQLiteHistory?
}

extension SQLiteStore {
  /// The history of the file, in the transaction that is open: another process may have begun or ended one
  /// since the store was opened.
  ///
  /// - Throws: `read-only-store` for tables of a history that are not known.
  func history(_ connection: SQLiteConnection) throws -> SQLiteHistory? {
    try reporting {
      let version = try connection.withoutCounting { try connection.int64("PRAGMA schema_version") } ?? 0
      if let known = knownHistory.withLock({ $0.schemaVersion == version ? $0 : nil }) {
        return known.history
      }
      let history = try connection.withoutCounting { try readHistory(connection) }
      knownHistory.withLock { $0 = SQLiteHistoryState(schemaVersion: version, history: history) }
      return history
    }
  }

  func forgetHistory() { knownHistory.withLock { $0 = SQLiteHistoryState() } }

  func hasWritten(transaction number: Int64) -> Bool { ownTransactions.withLock { $0.contains(number) } }

  /// Begins a history where one is wanted and the file has none, and adds what the model asks for to one that
  /// it has.
  func prepareHistory(_ contents: StoreHeader, _ connection: SQLiteConnection) throws {
    if isReadOnly || contents.historyObstacle != nil { return }
    let isWanted = options.historyTracking == true
    guard contents.history != nil || isWanted else { return }
    let count = SQLiteHistory.tombstoneCount(schema)
    if let history = contents.history, history.tombstoneCount >= count { return }
    try reporting {
      try connection.transaction(.immediate) {
        // Another process may have been faster.
        if let present = try self.history(connection)?.tables {
          for sql in present.statementsAddingTombstones(upTo: count) { try connection.execute(sql) }
        } else if isWanted {
          try beginHistory(connection)
        }
      }
    }
  }

  /// Makes the tables of a history, within the transaction that is open.
  ///
  /// Where the file has had one before, a number of a transaction is passed over: what was read of that has
  /// missed changes.
  func beginHistory(_ connection: SQLiteConnection) throws {
    let tables = SQLiteHistoryTables(tombstoneCount: SQLiteHistory.tombstoneCount(schema))
    for sql in tables.createStatements { try connection.execute(sql) }
    let last = try SQLiteLayout.historyNumber(.transaction, connection)
    if last > 0 { try SQLiteLayout.beginHistoryAnew(connection) }
  }

  private func readHistory(_ connection: SQLiteConnection) throws -> SQLiteHistory? {
    do {
      let names = try SQLiteLayout.readTableNames(connection)
      return try SQLiteHistoryTables(connection, tables: names).map { SQLiteHistory($0, schema) }
    } catch let unknown as SQLiteHistoryTables.Unknown {
      guard isMadeByCoreData else { return nil }
      throw GraphStoreError(
        .readOnlyStore,
        "\(path) keeps a history whose table \(unknown.table) has columns that are not known.",
        remedy: "Change it with the application that it belongs to, or export its records into a new store.")
    }
  }
}
