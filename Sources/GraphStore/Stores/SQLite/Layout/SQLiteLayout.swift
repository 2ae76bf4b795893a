import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// The tables that every SQLite store has.
enum SQLiteLayout {
  static let primaryKeyTable = "Z_PRIMARYKEY"
  static let metadataTable = "Z_METADATA"
  static let modelCacheTable = "Z_MODELCACHE"

  /// Writes the one row of metadata, within the transaction that is open if there is one.
  static func writeMetadata(_ connection: SQLiteConnection, _ metadata: StoreMetadata) throws {
    let data = try PropertyList.data(metadata.values)
    try connection.withStatement(
      "INSERT OR REPLACE INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?1, ?2)"
    ) { statement in
      try statement.bind(metadata.identifier.uuidString, at: 1)
      try unsafe data.withUnsafeBytes { try unsafe statement.bind(blobCopying: $0, at: 2) }
      try statement.run()
    }
  }

  /// Reads the one row of metadata.
  ///
  /// - Throws: `store-corrupt`, naming the part that is missing or damaged; ``SQLiteError``.
  static func readMetadata(_ connection: SQLiteConnection) throws -> StoreMetadata {
    let (metadata, damage) = try readWhatIsThere(connection)
    guard let damage else { return metadata }
    throw GraphStoreError(.storeCorrupt, damage, remedy: "Restore the store from a backup.")
  }

  /// Reads the one row of metadata; the first part that is missing or damaged is reported, as a sentence
  /// (STO-287).
  ///
  /// - Throws: ``SQLiteError``.
  static func readWhatIsThere(
    _ connection: SQLiteConnection
  ) throws -> (metadata: StoreMetadata, damage: String?) {
    try connection.withStatement("SELECT Z_UUID, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1") { row in
      let hasRow = try row.step()
      let identifier = hasRow ? row.string(at: 0).flatMap { UUID(uuidString: $0) } : nil
      let hasList = hasRow && !row.isNull(at: 1)
      let values = unsafe hasList ? PropertyListReader.dictionary(of: Data(row.blob(at: 1))) : nil
      let metadata = StoreMetadata(
        identifier: identifier ?? StoreMetadata.unknownIdentifier, values: values ?? [:])
      return (
        metadata,
        damage(
          hasRow: hasRow, hasIdentifier: identifier != nil, hasList: hasList, listIsWhole: values != nil)
      )
    }
  }

  /// The compiled model that a store of Core Data carries; nil where it carries none.
  static func readModelCache(_ connection: SQLiteConnection) throws -> [UInt8]? {
    try connection.withStatement("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1") { row in
      guard try row.step(), !row.isNull(at: 0) else { return nil }
      return unsafe Array(row.blob(at: 0))
    }
  }

  /// From this number up Core Data's own entities have theirs, those of history and of mirroring to CloudKit;
  /// entities of a model may have the same names (STO-229).
  static let firstOwnNumber = 16001
  private static let historyNames = ["CHANGE", "TRANSACTION", "TRANSACTIONSTRING"]

  /// Whether an entry of the list of entities is one of Core Data's own, and none of the model's.
  static func isCoreDataEntity(number: Int, name: String) -> Bool {
    number >= firstOwnNumber && (historyNames.contains(name) || name.hasPrefix("NSCK"))
  }

  /// The numbers that the store gave to the model's entities, by name.
  static func readEntityNumbers(_ connection: SQLiteConnection) throws -> [String: Int] {
    try connection.withStatement("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY") { row in
      var numbers: [String: Int] = [:]
      while try row.step() {
        let number = Int(row.int64(at: 1))
        if let name = row.string(at: 0), !isCoreDataEntity(number: number, name: name) {
          numbers[name] = number
        }
      }
      return numbers
    }
  }

  /// The names of all tables.
  static func readTableNames(_ connection: SQLiteConnection) throws -> Set<String> {
    try connection.withStatement("SELECT name FROM sqlite_schema WHERE type = 'table'") { row in
      var names: Set<String> = []
      while try row.step() { if let name = row.string(at: 0) { names.insert(name) } }
      return names
    }
  }

  private static func damage(
    hasRow: Bool, hasIdentifier: Bool, hasList: Bool, listIsWhole: Bool
  ) -> String? {
    let part: String
    switch (hasRow, hasIdentifier, hasList, listIsWhole) {
    case (true, true, true, true): return nil
    case (false, _, _, _): part = "has no row"
    case (_, false, _, _): part = "has no identifier of the store"
    case (_, _, false, _): part = "lacks the property list Z_PLIST"
    default: part = "has a damaged property list Z_PLIST"
    }
    return "The store's metadata is damaged: the table Z_METADATA \(part)."
  }
}

extension SQLSchema {
  /// All indexes as SQLite has them.
  func indexes() throws -> [SQLIndex] { try indexes(SQLiteDialect()) }

  /// The statements that make all tables and indexes in SQLite.
  func createStatements() throws -> [String] { try createStatements(SQLiteDialect()) }

  /// The statements that make all tables in SQLite.
  func createTableStatements() -> [String] { createTableStatements(SQLiteDialect()) }
}

extension ManagedObjectModel {
  /// The error of a model with a tree of entities that has more properties than a table has columns; nil
  /// where all fit.
  ///
  /// - Throws: what else keeps the model from being laid out.
  package func widthFailure() throws -> GraphStoreError? {
    let schema = SQLSchema(try StoredEntities(self, configuration: nil))
    let connection = try SQLiteConnection.inMemory()
    defer { connection.close() }
    do {
      try SQLiteLayout.checkWidth(schema, connection)
      return nil
    } catch let failure as GraphStoreError where failure.code == .modelTooWide {
      return failure
    }
  }
}
