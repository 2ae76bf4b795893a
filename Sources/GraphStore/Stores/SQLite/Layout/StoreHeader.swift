import GraphStoreSQLite

/// What a store is asked when it is opened.
struct StoreHeader {
  let metadata: StoreMetadata
  /// What keeps the metadata from being read, as a sentence; nil where it is whole.
  let damage: String?
  /// The numbers that the store gave to its entities, by name.
  let entityNumbers: [String: Int]
  /// The names of all tables.
  let tables: Set<String>
  /// The triggers in the file, by name.
  let triggers: [StoreTrigger]

  /// Reads a store; what is no store, lacks a part or is newer is told instead.
  ///
  /// - Throws: ``SQLiteError``.
  static func read(_ connection: SQLiteConnection) throws -> Result<StoreHeader, Problem> {
    let (tables, triggers) = try names(connection)
    let parts = [SQLiteLayout.metadataTable, SQLiteLayout.primaryKeyTable]
    let missing = parts.filter { !tables.contains($0) }
    if missing.count == parts.count { return .failure(.notAStore) }
    if let part = missing.first { return .failure(.missingTable(part)) }
    let (metadata, damage) = try SQLiteLayout.readWhatIsThere(connection)
    let numbers = try SQLiteLayout.readEntityNumbers(connection)
    if let format = metadata.format, format > StoreMetadata.currentFormat {
      return .failure(.newerFormat(format))
    }
    return .success(
      StoreHeader(
        metadata: metadata, damage: damage, entityNumbers: numbers, tables: tables, triggers: triggers))
  }

  private static func names(
    _ connection: SQLiteConnection
  ) throws -> (tables: Set<String>, triggers: [StoreTrigger]) {
    try connection.withStatement(
      "SELECT type, name, tbl_name FROM sqlite_schema WHERE type IN ('table', 'trigger') ORDER BY name"
    ) { row in
      var tables: Set<String> = []
      var triggers: [StoreTrigger] = []
      while try row.step() {
        guard let type = row.string(at: 0), let name = row.string(at: 1) else { continue }
        if type == "table" {
          tables.insert(name)
        } else {
          triggers.append(StoreTrigger(name: name, table: row.string(at: 2) ?? ""))
        }
      }
      return (tables, triggers)
    }
  }

  /// What keeps a SQLite file from being a store that can be opened.
  enum Problem: Error {
    case notAStore
    case missingTable(String)
    case newerFormat(Int)
  }
}

/// A statement in the file that SQLite would run with changes of a table, and that stores do not run (STO-214).
struct StoreTrigger: Hashable, Sendable {
  let name: String
  let table: String
}
