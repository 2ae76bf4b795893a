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
    if contents.history != nil, try reporting({ try keepsTombstones(connection) }) { return }
    try reporting {
      try connection.transaction(.immediate) {
        // Another process may have been faster.
        if let present = try self.history(connection)?.tables {
          try keepTombstones(present, connection)
        } else if isWanted {
          try beginHistory(connection)
        }
      }
    }
  }

  /// Whether the file keeps the values of deleted records that the model asks for.
  private func keepsTombstones(_ connection: SQLiteConnection) throws -> Bool {
    let wanted = TombstoneLayout(schema)
    guard let present = try TombstoneLayout(connection) else { return wanted.paths.isEmpty }
    return present == wanted
  }

  /// Has the file keep the values of deleted records that the model asks for.
  private func keepTombstones(_ tables: SQLiteHistoryTables, _ connection: SQLiteConnection) throws {
    let wanted = TombstoneLayout(schema)
    let count = SQLiteHistory.tombstoneCount(schema)
    for sql in tables.statementsAddingTombstones(upTo: count) { try connection.execute(sql) }
    guard let present = try TombstoneLayout(connection) else { return try wanted.write(connection) }
    try wanted.replace(present, connection)
  }

  /// Makes the tables of a history, within the transaction that is open.
  ///
  /// Where the file has had one before, a number of a transaction is passed over: what was read of that has
  /// missed changes.
  func beginHistory(_ connection: SQLiteConnection) throws {
    let tables = SQLiteHistoryTables(tombstoneCount: SQLiteHistory.tombstoneCount(schema))
    try tables.create(connection, keeping: TombstoneLayout(schema))
    let last = try SQLiteLayout.historyNumber(.transaction, connection)
    if last > 0 { try SQLiteLayout.beginHistoryAnew(connection) }
  }

  private func readHistory(_ connection: SQLiteConnection) throws -> SQLiteHistory? {
    do {
      let names = try SQLiteLayout.readTableNames(connection)
      guard let tables = try SQLiteHistoryTables(connection, tables: names) else { return nil }
      return SQLiteHistory(tables, schema, try TombstoneLayout(connection) ?? TombstoneLayout(schema))
    } catch let unknown as SQLiteHistoryTables.Unknown {
      let isOfHistory = isMadeByCoreData && !unknown.isMissing
      guard try isOfHistory || SQLiteLayout.hasCountedTransactions(connection) else { return nil }
      throw GraphStoreError(
        .readOnlyStore,
        "\(path) keeps a history \(unknown.clause).",
        remedy: "Change it with the application that it belongs to, or export its records into a new store.")
    }
  }
}
