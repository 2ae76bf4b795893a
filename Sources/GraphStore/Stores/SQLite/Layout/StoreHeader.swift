import GraphStoreSQLite

/// Header of a store, read when it is opened.
struct StoreHeader {
  let metadata: StoreMetadata
  /// The reason why the metadata cannot be read, as a sentence; nil where they can.
  let damage: String?
  /// The numbers that the store gave to its entities, by name.
  let entityNumbers: [String: Int]
  /// The names of all tables.
  let tables: Set<String>
  /// The tables as far as the layout of a model depends on them.
  let existingTables: ExistingTables
  /// The triggers in the file, by name.
  let triggers: [StoreTrigger]
  /// The tables of a history; nil where the file has none, and where ``historyObstacle`` is set.
  let history: SQLiteHistoryTables?
  /// The reason why a history that the file has cannot be continued, as a relative clause.
  let historyObstacle: String?

  /// Whether the file has a history, whoever can continue it.
  var tracksHistory: Bool { history != nil || historyObstacle != nil }

  /// Reads a store; a file that is no store, lacks a part or is newer yields a problem instead.
  ///
  /// - Throws: ``SQLiteError``.
  static func read(_ connection: SQLiteConnection) throws -> Result<StoreHeader, Problem> {
    let (tables, virtualTables, triggers) = try names(connection)
    let parts = [SQLiteLayout.metadataTable, SQLiteLayout.primaryKeyTable]
    let missing = parts.filter { !tables.contains($0) }
    if missing.count == parts.count { return .failure(.notAStore) }
    if let part = missing.first { return .failure(.missingTable(part)) }
    let (metadata, damage) = try SQLiteLayout.readWhatIsThere(connection)
    let numbers = try SQLiteLayout.readEntityNumbers(connection)
    if let format = metadata.format, format > StoreMetadata.currentFormat {
      return .failure(.newerFormat(format))
    }
    let (history, obstacle) = try history(connection, tables, triggers, isOurs: metadata.isOurs)
    return .success(
      StoreHeader(
        metadata: metadata, damage: damage, entityNumbers: numbers, tables: tables,
        existingTables: ExistingTables(
          names: tables, pairColumns: try pairColumns(connection, tables.subtracting(virtualTables))),
        triggers: triggers, history: history, historyObstacle: obstacle))
  }

  /// The history that the file has; where others keep more with it than is known, the reason why it cannot be
  /// continued instead. Where no transaction was counted, tables of other columns in a store of the library's
  /// are somebody's own, and so is one of them alone.
  private static func history(
    _ connection: SQLiteConnection, _ tables: Set<String>, _ triggers: [StoreTrigger], isOurs: Bool
  ) throws -> (SQLiteHistoryTables?, obstacle: String?) {
    do {
      guard let history = try SQLiteHistoryTables(connection, tables: tables) else { return (nil, nil) }
      if let trigger = triggers.first(where: { SQLiteHistoryTables.allTables.contains($0.table.uppercased()) }
      ) {
        return (nil, "on which the trigger \(trigger.name) works")
      }
      if let mirror = tables.filter({ $0.hasPrefix("ANSCK") }).min() {
        return (nil, "which is mirrored to a server (\(mirror))")
      }
      return (history, nil)
    } catch let unknown as SQLiteHistoryTables.Unknown {
      let isOwn = try (isOurs || unknown.isMissing) && !SQLiteLayout.hasCountedTransactions(connection)
      return isOwn ? (nil, nil) : (nil, unknown.clause)
    }
  }

  /// The columns of the tables that are named as those of pairs are.
  private static func pairColumns(
    _ connection: SQLiteConnection, _ tables: Set<String>
  ) throws -> [String: [String]] {
    var columns: [String: [String]] = [:]
    for table in tables where isNamedAsPairs(table) {
      // A query that is prepared and never run costs a fraction of what a table of columns does.
      columns[table] = try connection.withStatement("SELECT * FROM \(SQLiteName.quoted(table)) LIMIT 0") {
        row in
        (0..<row.columnCount).map(row.columnName(at:))
      }
    }
    return columns
  }

  private static func isNamedAsPairs(_ table: String) -> Bool {
    table.hasPrefix("Z_") && table.utf8.dropFirst(2).first.map { (0x30...0x39).contains($0) } == true
  }

  /// The names of all tables, of those that are virtual, and of triggers. A virtual table has no page of its
  /// own; to read from one, SQLite would load its module.
  private static func names(
    _ connection: SQLiteConnection
  ) throws -> (tables: Set<String>, virtualTables: Set<String>, triggers: [StoreTrigger]) {
    try connection.withStatement(
      "SELECT type, name, tbl_name, rootpage FROM sqlite_schema WHERE type IN ('table', 'trigger') ORDER BY name"
    ) { row in
      var (tables, virtualTables): (Set<String>, Set<String>) = ([], [])
      var triggers: [StoreTrigger] = []
      while try row.step() {
        guard let type = row.string(at: 0), let name = row.string(at: 1) else { continue }
        if type == "table" {
          tables.insert(name)
          if row.int64(at: 3) == 0 { virtualTables.insert(name) }
        } else {
          triggers.append(StoreTrigger(name: name, table: row.string(at: 2) ?? ""))
        }
      }
      return (tables, virtualTables, triggers)
    }
  }

  /// Reason why a SQLite file is no store that can be opened.
  enum Problem: Error {
    case notAStore
    case missingTable(String)
    case newerFormat(Int)
  }
}

/// A statement in the file that SQLite would run with changes of a table, and that stores do not run
/// (STO-214).
struct StoreTrigger: Hashable, Sendable {
  let name: String
  let table: String
}
