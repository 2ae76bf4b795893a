import GraphStoreModel
import GraphStoreSQLite

extension RepairTransaction {
  /// Restores the key of tables, by making them anew with their rows.
  mutating func mendKeys() throws {
    let dialect = SQLiteDialect()
    try mendKey(
      "Z_ENT", of: SQLiteLayout.primaryKeyTable, others: ["Z_NAME", "Z_SUPER", "Z_MAX"],
      statement: SQLiteLayout.primaryKeyStatement)
    try mendKey(
      "Z_VERSION", of: SQLiteLayout.metadataTable, others: ["Z_UUID", "Z_PLIST"],
      statement: SQLiteLayout.metadataStatement)
    inspector.findTables()
    for table in schema.tables where inspector.isSound(table) {
      try mendKey(
        "Z_PK", of: table.name, others: ["Z_ENT", "Z_OPT"] + table.columns.map(\.name),
        statement: dialect.createStatement(table))
    }
    for table in schema.joinTables where inspector.isSound(table) { try mendPairKey(of: table, dialect) }
  }

  private mutating func mendKey(
    _ key: String, of table: String, others: [String], statement: String
  ) throws {
    guard try !inspector.hasKey(table, key), try hasOwnKeys(table, key) else { return }
    try remake(
      table, statement: statement, columns: [key] + others, message: "make the table anew with the key \(key)"
    )
  }

  /// For a link that is stored twice the first place counts, as it does for reading.
  private mutating func mendPairKey(of table: SQLJoinTable, _ dialect: SQLiteDialect) throws {
    guard try !inspector.isKept(table) else { return }
    try remake(
      table.name, statement: dialect.createStatement(table), columns: table.columns,
      message: "make the table anew with a key, so that each link is there once")
  }

  /// Whether each row has a number of its own in a column.
  private func hasOwnKeys(_ table: String, _ column: String) throws -> Bool {
    try connection.int64(
      """
      SELECT count(*) = count(DISTINCT CASE typeof(\(column)) WHEN 'integer' THEN \(column) END)
      FROM \(SQLName.quoted(table))
      """) == 1
  }

  /// Makes a table anew with its rows and indexes; one with further columns, of which nothing is known,
  /// stays.
  private mutating func remake(
    _ table: String, statement: String, columns: [String], message: String
  ) throws {
    guard try columnNames(table).isSubset(of: columns.map { $0.uppercased() }) else { return }
    let (name, former) = (SQLName.quoted(table), SQLName.quoted("GS_FORMER_\(table)"))
    let list = columns.map(SQLName.quoted).joined(separator: ", ")
    try attempt { repair in
      let indexes = try repair.indexStatements(table)
      try repair.connection.execute("ALTER TABLE \(name) RENAME TO \(former)")
      try repair.connection.execute(statement)
      try repair.connection.execute(
        "INSERT OR IGNORE INTO \(name) (\(list)) SELECT \(list) FROM \(former) ORDER BY \(list)")
      try repair.connection.execute("DROP TABLE \(former)")
      // One statement each: the text is the file's, and nothing behind its first statement is to be run
      // (STO-213).
      for index in indexes { try repair.connection.prepare(index).run() }
      repair.note("tables", table, count: 1, message)
    }
  }

  private func columnNames(_ table: String) throws -> Set<String> {
    try connection.withStatement("SELECT name FROM pragma_table_info(?1)") { row in
      try row.bind(table, at: 1)
      var names: Set<String> = []
      while try row.step() { if let name = row.string(at: 0) { names.insert(name.uppercased()) } }
      return names
    }
  }

  /// The statements that made a table's indexes, those of other programs among them.
  private func indexStatements(_ table: String) throws -> [String] {
    try connection.withStatement(
      "SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?1 COLLATE NOCASE AND sql NOT NULL"
    ) { row in
      try row.bind(table, at: 1)
      var statements: [String] = []
      while try row.step() { if let sql = row.string(at: 0) { statements.append(sql) } }
      return statements
    }
  }
}
