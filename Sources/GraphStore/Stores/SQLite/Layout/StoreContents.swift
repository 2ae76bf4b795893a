import GraphStoreSQLite

/// What a store is asked when it is opened.
struct StoreContents {
  let metadata: StoreMetadata
  /// The numbers that the store gave to its entities, by name.
  let entityNumbers: [String: Int]
  /// The names of all tables.
  let tables: Set<String>

  /// Reads a store; what is no store, lacks a part or is newer is told instead.
  ///
  /// - Throws: ``SQLiteError``; `store-corrupt`.
  static func read(_ connection: SQLiteConnection) throws -> Result<StoreContents, Fault> {
    let tables = try SQLiteLayout.readTableNames(connection)
    let parts = [SQLiteLayout.metadataTable, SQLiteLayout.primaryKeyTable]
    let missing = parts.filter { !tables.contains($0) }
    if missing.count == parts.count { return .failure(.notAStore) }
    if let part = missing.first { return .failure(.missingTable(part)) }
    let metadata = try SQLiteLayout.readMetadata(connection)
    let numbers = try SQLiteLayout.readEntityNumbers(connection)
    if let format = metadata.format, format > StoreMetadata.currentFormat {
      return .failure(.newerFormat(format))
    }
    return .success(StoreContents(metadata: metadata, entityNumbers: numbers, tables: tables))
  }

  /// What keeps a SQLite file from being a store that can be opened.
  enum Fault: Error {
    case notAStore
    case missingTable(String)
    case newerFormat(Int)
  }
}
