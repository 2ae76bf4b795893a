import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// The tables that every SQLite store has, and the making of new stores.
enum SQLiteLayout {
  static let primaryKeyTable = "Z_PRIMARYKEY"
  static let metadataTable = "Z_METADATA"
  static let modelCacheTable = "Z_MODELCACHE"

  private static let systemStatements = [
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
  ]

  /// Makes the tables, indexes and system rows of a new store in an empty database, in one transaction.
  ///
  /// The switch to write-ahead logging comes last: until the one transaction is committed the file is empty, whatever
  /// happens. A file system that refuses the switch leaves a rollback journal, which `PRAGMA journal_mode` shows.
  ///
  /// - Throws: `not-supported` for a model that no table can hold, before anything is written; ``SQLiteError``.
  static func create(_ connection: SQLiteConnection, schema: SQLSchema, metadata: StoreMetadata) throws {
    let statements = try systemStatements + schema.createStatements()
    try SQLiteDialect.install(on: connection)
    try connection.execute("PRAGMA page_size = 4096; PRAGMA encoding = 'UTF-8'")
    try connection.transaction(.deferred) {
      // This writes the first page: outside of the transaction a crash would leave a file without tables.
      try connection.execute("PRAGMA auto_vacuum = 2")
      for statement in statements { try connection.execute(statement) }
      try insertEntities(connection, schema)
      try writeMetadata(connection, metadata)
    }
    _ = try connection.string("PRAGMA journal_mode = WAL")
  }

  /// Makes a store at a path that is free or an empty file, and hands over the connection to it.
  ///
  /// - Throws: `store-exists`; otherwise as ``create(_:schema:metadata:)``. A file that was made is removed again.
  static func create(
    at path: String, schema: SQLSchema, metadata: StoreMetadata, busyTimeout: Duration = .seconds(5)
  ) throws -> SQLiteConnection {
    var status = stat()
    if stat(path, &status) == 0, status.st_size > 0 {
      throw GraphStoreError(
        .storeExists, "There is something at \(path) already.",
        remedy: "Choose another path, or remove it first.")
    }
    // SQLite would give the file 0644; stores get what the umask leaves of 0666.
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    let wasMade = file >= 0
    if wasMade { close(file) }
    do {
      let connection = try SQLiteConnection(path: path, mode: .create, busyTimeout: busyTimeout)
      do {
        try create(connection, schema: schema, metadata: metadata)
        return connection
      } catch {
        connection.close()
        throw error
      }
    } catch {
      if wasMade { unlink(path) }
      throw (error as? SQLiteError).map { GraphStoreError($0, path: path) } ?? error
    }
  }

  private static func insertEntities(_ connection: SQLiteConnection, _ schema: SQLSchema) throws {
    let insert = try connection.prepare("INSERT INTO Z_PRIMARYKEY VALUES (?1, ?2, ?3, 0)")
    for entity in schema.numberedEntities {
      try insert.bind(Int64(entity.number), at: 1)
      try insert.bind(entity.entity.name, at: 2)
      try insert.bind(Int64(schema.parentNumber(of: entity)), at: 3)
      try insert.run()
    }
  }

  /// Writes the one row of metadata, within the transaction that is open if there is one.
  static func writeMetadata(_ connection: SQLiteConnection, _ metadata: StoreMetadata) throws {
    let data = try PropertyList.data(metadata.values)
    try connection.withStatement(
      "INSERT OR REPLACE INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?1, ?2)"
    ) { statement in
      try statement.bind(metadata.identifier.uuidString, at: 1)
      try data.withUnsafeBytes { try statement.bind(blobCopying: $0, at: 2) }
      try statement.run()
    }
  }

  /// Reads the one row of metadata.
  ///
  /// - Throws: `store-corrupt`, naming the part that is missing or damaged; ``SQLiteError``.
  static func readMetadata(_ connection: SQLiteConnection) throws -> StoreMetadata {
    try connection.withStatement("SELECT Z_UUID, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1") { row in
      guard try row.step() else { throw damaged("has no row") }
      guard let text = row.string(at: 0), let identifier = UUID(uuidString: text) else {
        throw damaged("has no identifier of the store")
      }
      guard !row.isNull(at: 1) else { throw damaged("lacks the property list Z_PLIST") }
      guard let values = PropertyListReader.dictionary(of: Data(row.blob(at: 1))) else {
        throw damaged("has a damaged property list Z_PLIST")
      }
      return StoreMetadata(identifier: identifier, values: values)
    }
  }

  /// The compiled model that a store of Core Data carries; nil where it carries none.
  static func readModelCache(_ connection: SQLiteConnection) throws -> [UInt8]? {
    try connection.withStatement("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1") { row in
      guard try row.step(), !row.isNull(at: 0) else { return nil }
      return Array(row.blob(at: 0))
    }
  }

  /// The numbers that the store gave to its entities, by name.
  static func readEntityNumbers(_ connection: SQLiteConnection) throws -> [String: Int] {
    try connection.withStatement("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY") { row in
      var numbers: [String: Int] = [:]
      while try row.step() {
        if let name = row.string(at: 0) { numbers[name] = Int(row.int64(at: 1)) }
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

  /// Opens a store for reading for as long as one likes, beside writers.
  ///
  /// Where locks and side files are impossible, in a folder that cannot be written, it is read without them.
  ///
  /// - Throws: ``SQLiteError``.
  static func openForReading(_ path: String, busyTimeout: Duration = .seconds(5)) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path, mode: .readOnly, busyTimeout: busyTimeout)
    do {
      _ = try connection.int64("SELECT count(*) FROM sqlite_schema")
      return connection
    } catch let failure as SQLiteError where failure.category == .cantOpen || failure.category == .readOnly {
      connection.close()
      let mode = SQLiteProbe.readingMode(path)
      return try SQLiteConnection(
        path: path, mode: mode == .readOnly ? .detached : mode, busyTimeout: busyTimeout)
    }
  }

  private static func damaged(_ what: String) -> GraphStoreError {
    GraphStoreError(
      .storeCorrupt, "The store's metadata is damaged: the table Z_METADATA \(what).",
      remedy: "Restore the store from a backup.")
  }
}
