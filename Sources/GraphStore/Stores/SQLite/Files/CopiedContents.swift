import GraphStoreModel
import GraphStoreSQLite

/// Contents of a SQLite file that nobody writes to, as far as a copy of a store has to know them: its
/// identity, the number of its records, and the files of external data that its rows name.
///
/// Attributes with external storage are those of the model that the store carries. Without one every value
/// that has the form of a file's name counts as one, which keeps a file too many, and never one too few.
struct CopiedContents {
  /// A value that is in a file of its own.
  struct Place {
    let table: String
    let column: String
    let key: Int64
    let name: ExternalDataName
  }

  let metadata: StoreMetadata
  let objectCount: Int
  /// Whether the model says which attributes have external storage.
  let hasModel: Bool
  private(set) var places: [Place] = []

  /// - Throws: ``SQLiteError``; what is wrong with the header.
  init(path: String) throws {
    let connection = try SQLiteConnection(path: path, mode: .immutable)
    defer { connection.close() }
    let header = try StoreHeader.read(connection).get()
    metadata = header.metadata
    let schema = Self.schema(connection, header, path)
    hasModel = schema != nil
    let tables =
      try schema?.tables.map(\.name).filter(header.tables.contains) ?? Self.tables(connection, header)
    var count = 0
    for table in tables {
      count += Int(try connection.int64("SELECT count(*) FROM \(SQLName.quoted(table))") ?? 0)
    }
    objectCount = count
    guard metadata.hasExternalPrefixes else { return }
    let columns =
      try schema?.tables.flatMap { table in
        table.columns.filter(\.isExternal).map { (table.quotedName, $0.quotedName) }
      } ?? Self.dataColumns(of: tables, connection)
    for (table, column) in columns { try readPlaces(connection, table, column) }
  }

  var names: Set<ExternalDataName> { Set(places.map(\.name)) }

  private mutating func readPlaces(
    _ connection: SQLiteConnection, _ table: String, _ column: String
  ) throws {
    let sql = """
      SELECT Z_PK, \(column) FROM \(table)
        WHERE typeof(\(column)) = 'blob' AND length(\(column)) = \(ExternalDataName.length + 2)
      """
    try connection.withStatement(sql) { row in
      while try row.step() {
        let bytes = unsafe row.blob(at: 1).bindMemory(to: UInt8.self)
        guard case .file(let name)? = unsafe ExternalColumn(bytes) else { continue }
        places.append(Place(table: table, column: column, key: row.int64(at: 0), name: name))
      }
    }
  }

  // MARK: Tables

  /// The tables of the model that the store carries; nil where it carries none, or one that does not fit.
  private static func schema(
    _ connection: SQLiteConnection, _ header: StoreHeader, _ path: String
  ) -> SQLSchema? {
    guard let model = try? EmbeddedModelReader.read(connection, header, path: path, isTrusted: false).model
    else { return nil }
    let stored =
      (try? StoredEntities(model, configuration: header.metadata.configuration)) ?? StoredEntities(model)
    return try? SQLSchema(
      stored.narrowed(by: header.metadata), entityNumbers: header.entityNumbers,
      existingTables: header.existingTables)
  }

  /// The tables of records, by the names of the entities.
  private static func tables(_ connection: SQLiteConnection, _ header: StoreHeader) throws -> [String] {
    let names = Set(header.entityNumbers.keys.map { "Z" + SQLName.stem($0) })
    return try names.intersection(header.tables).sorted().filter { table in
      try connection.withStatement("SELECT 1 FROM pragma_table_info(?1) WHERE name = 'Z_PK'") { row in
        try row.bind(table, at: 1)
        return try row.step()
      }
    }
  }

  private static func dataColumns(
    of tables: [String], _ connection: SQLiteConnection
  ) throws -> [(String, String)] {
    var columns: [(String, String)] = []
    for table in tables {
      try connection.withStatement("SELECT name FROM pragma_table_info(?1) WHERE type = 'BLOB'") { row in
        try row.bind(table, at: 1)
        while try row.step() {
          if let name = row.string(at: 0) { columns.append((SQLName.quoted(table), SQLName.quoted(name))) }
        }
      }
    }
    return columns
  }
}
