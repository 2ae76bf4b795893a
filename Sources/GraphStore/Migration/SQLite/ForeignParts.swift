import Foundation
import GraphStoreSQLite

/// Parts of a store's file that its model knows nothing of: a user, or another implementation, has added them
/// (MIG-279).
///
/// Tables that belong to the user are copied as they are, and indexes as far as their columns are still
/// there.
struct ForeignParts {
  /// A table of the user's.
  struct Table {
    let name: String
    /// The statement that makes it.
    let sql: String
    let isEmpty: Bool
  }

  /// An index that was made by hand.
  struct Index {
    let name: String
    let table: String
    /// The statement that makes it.
    let sql: String
    /// The columns that it is over; nil for one that has expressions.
    let columns: [String]?
  }

  /// A column in a table of the model's.
  struct Column {
    let table: String
    let name: String
    /// The number of rows with a value in it.
    let count: Int
  }

  private(set) var tables: [Table] = []
  private(set) var indexes: [Index] = []
  private(set) var columns: [Column] = []
  /// Parts that are never copied, as readable text: `the trigger t`.
  private(set) var others: [String] = []

  var isEmpty: Bool { tables.isEmpty && indexes.isEmpty && columns.isEmpty && others.isEmpty }

  /// Reads the parts of a store.
  ///
  /// - Parameters:
  ///   - connection: Has the store open.
  ///   - schema: What the model knows.
  ///   - isOurs: Whether the store was made by this library, whose tables are all the model's.
  ///   - history: The tables of its history, which are taken over by themselves.
  init(
    _ connection: SQLiteConnection, beside schema: SQLSchema, isOurs: Bool, history: SQLiteHistoryTables?
  ) throws {
    let own = Self.tableNames(of: schema).union(history == nil ? [] : SQLiteHistoryTables.allTables)
    var virtual: [String] = []
    try connection.withStatement(
      """
      SELECT type, name, tbl_name, sql FROM sqlite_schema
      WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql IS NOT NULL ORDER BY type <> 'table', rowid
      """
    ) { row in
      while try row.step() {
        guard let type = row.string(at: 0), let name = row.string(at: 1), let table = row.string(at: 2),
          let sql = row.string(at: 3)
        else { continue }
        let isOfModel = own.contains(table.uppercased())
        // The names of parts that Core Data makes for a model begin so: tables of pairs that are named in its
        // way, triggers of derived attributes.
        if !isOurs, !isOfModel || type == "trigger", ["Z", "Y_"].contains(where: name.hasPrefix) { continue }
        switch type {
        case "table" where isOfModel: break
        case "table" where sql.uppercased().hasPrefix("CREATE VIRTUAL"):
          virtual.append(name)
          others.append("the virtual table \(name)")
        case "table" where virtual.contains { name.hasPrefix($0 + "_") }: break
        case "table" where Self.isOfCoreData(name): others.append("the table \(name)")
        case "table": tables.append(Table(name: name, sql: sql, isEmpty: true))
        case "index" where SQLiteHistoryTables.allTables.contains(table.uppercased()): break
        case "index" where !isOfModel || !name.hasPrefix("Z"):
          indexes.append(Index(name: name, table: table, sql: sql, columns: nil))
        case "index": break
        default: others.append("the \(type) \(name)")
        }
      }
    }
    let known = Set(tables.map { $0.name.uppercased() }).union(own)
    indexes.removeAll { !known.contains($0.table.uppercased()) }
    try readContents(connection)
  }

  /// Whether a table holds what Core Data notes for itself: history, and the state of its exchange with a
  /// server. It names entities by numbers, which are others in the migrated store.
  private static func isOfCoreData(_ name: String) -> Bool {
    ["ANSCK", "ACHANGE", "ATRANSACTION"].contains { name.uppercased().hasPrefix($0) }
  }

  private static func tableNames(of schema: SQLSchema) -> Set<String> {
    let system = [
      SQLiteLayout.primaryKeyTable, SQLiteLayout.metadataTable, SQLiteLayout.modelCacheTable,
    ]
    return Set((system + schema.tables.map(\.name) + schema.joinTables.map(\.name)).map { $0.uppercased() })
  }

  private mutating func readContents(_ connection: SQLiteConnection) throws {
    tables = try tables.map { table in
      let row = try connection.int64("SELECT 1 FROM \(SQLiteName.quoted(table.name)) LIMIT 1")
      return Table(name: table.name, sql: table.sql, isEmpty: row == nil)
    }
    indexes = try indexes.map { index in
      Index(
        name: index.name, table: index.table, sql: index.sql,
        columns: try Self.columns(of: index.name, connection))
    }
  }

  private static func columns(of index: String, _ connection: SQLiteConnection) throws -> [String]? {
    try connection.withStatement("SELECT name FROM pragma_index_info(?1)") { row in
      try row.bind(index, at: 1)
      var names: [String] = []
      while try row.step() {
        guard let name = row.string(at: 0) else { return nil }
        names.append(name)
      }
      return names
    }
  }

  /// Reads the columns that the tables of the model have besides the model's, with how much is in them.
  mutating func readColumns(_ connection: SQLiteConnection, _ schema: SQLSchema) throws {
    for table in schema.tables {
      let known = Set((SQLTable.leadingColumns + table.columns.map(\.name)).map { $0.uppercased() })
      let names = try Self.columnNames(of: table.name, connection)
      for name in names where !known.contains(name.uppercased()) {
        let count = try connection.int64(
          "SELECT count(\(SQLiteName.quoted(name))) FROM \(table.quotedName)")
        columns.append(Column(table: table.name, name: name, count: Int(count ?? 0)))
      }
    }
  }

  private static func columnNames(of table: String, _ connection: SQLiteConnection) throws -> [String] {
    try connection.withStatement("SELECT name FROM pragma_table_info(?1)") { row in
      try row.bind(table, at: 1)
      var names: [String] = []
      while try row.step() { if let name = row.string(at: 0) { names.append(name) } }
      return names
    }
  }

  // MARK: Taking over

  /// The parts that a store of another schema has too.
  func kept(beside schema: SQLSchema) -> ForeignParts {
    let taken = Self.tableNames(of: schema)
    var kept = self
    kept.others = []
    kept.columns = []
    kept.tables.removeAll { taken.contains($0.name.uppercased()) }
    let own = Set(kept.tables.map(\.name))
    kept.indexes.removeAll { index in
      if own.contains(index.table) { return false }
      guard let columns = index.columns, let table = schema.tables.first(where: { $0.name == index.table })
      else { return true }
      let present = SQLTable.leadingColumns + table.columns.map(\.name)
      return !columns.allSatisfy { column in present.contains { $0.uppercased() == column.uppercased() } }
    }
    return kept
  }

  /// Makes tables and indexes in a new store, and copies the rows.
  ///
  /// - Parameters:
  ///   - connection: Has the new store open, and the old one attached.
  ///   - database: What the old one is attached as.
  func copy(into connection: SQLiteConnection, from database: String) throws {
    // At once it would ask for the lock of the old store's writer too.
    try connection.transaction(.deferred) {
      for table in tables {
        try connection.execute(table.sql)
        let name = SQLiteName.quoted(table.name)
        let columns = try Self.columnNames(of: table.name, connection).map(SQLiteName.quoted)
          .joined(separator: ", ")
        try connection.execute(
          "INSERT INTO main.\(name) (\(columns)) SELECT \(columns) FROM \(database).\(name)")
      }
      for index in indexes { try connection.execute(index.sql) }
    }
  }
}
