import GraphStoreModel
import GraphStoreSQLite

/// Checks of the tables that matter to other programs, and that reading does not need.
extension StoreInspector {
  /// Columns that are declared as another type than the model asks for, with which a store of Core Data does
  /// not open (STO-280), and by which SQLite changes what is written to one of ours.
  func declaredTypes(_ name: String) throws -> [StoreCheckFinding] {
    try CoreDataSchemaMatcher.typeDifferences(connection, schema).map { table, message in
      StoreCheckFinding(.columnType, name: name, subject: table, count: 1, message: message)
    }
  }

  /// Tables without the key that rows are found by.
  func missingKeys(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    func add(_ damage: StoreDamage, _ subject: String, _ message: String) {
      findings.append(StoreCheckFinding(damage, name: name, subject: subject, count: 1, message: message))
    }
    let keys =
      schema.tables.filter(isSound).map { ($0.name, "Z_PK") }
      + [(SQLiteLayout.primaryKeyTable, "Z_ENT"), (SQLiteLayout.metadataTable, "Z_VERSION")]
    for (table, column) in keys where try !hasKey(table, column) {
      add(
        .missingKey, table, "\(column) is not the primary key of the table, so rows are found by other keys")
    }
    for table in schema.joinTables where isSound(table) {
      if try !isKept(table) {
        add(.missingPairKey, table.name, "the table has no key, so a link may be there twice")
      }
    }
    return findings
  }

  /// Whether a column is the integer primary key, and so another name of the row id.
  func hasKey(_ table: String, _ column: String) throws -> Bool {
    try connection.withStatement(
      "SELECT name, type FROM pragma_table_info(?1) WHERE pk > 0"
    ) { row in
      try row.bind(table, at: 1)
      guard try row.step() else { return false }
      let isKey =
        row.string(at: 0)?.uppercased() == column && row.string(at: 1)?.uppercased() == "INTEGER"
      return try isKey && !row.step()
    }
  }

  /// Whether a pair can be in a table of pairs only once.
  func isKept(_ table: SQLJoinTable) throws -> Bool {
    let pair = [table.source, table.destination].map { $0.uppercased() }
    return try connection.withStatement(
      """
      SELECT 1 FROM pragma_index_list(?1) AS l WHERE l."unique" = 1 AND l.partial = 0 AND
        (SELECT count(*) FROM pragma_index_info(l.name)) = 2 AND
        (SELECT count(*) FROM pragma_index_info(l.name) AS i WHERE upper(i.name) IN (?2, ?3)) = 2
      """
    ) { row in
      try row.bind(table.name, at: 1)
      try row.bind(pair[0], at: 2)
      try row.bind(pair[1], at: 3)
      return try row.step()
    }
  }

  /// Indexes whose functions gave other values than they do now, which reading refuses (PRD-254).
  func oldFunctions(_ name: String) throws -> [StoreCheckFinding] {
    guard metadata.format != nil,
      metadata.values[StoreMetadata.Key.functions] != SQLiteIndexedFunctions.version
    else { return [] }
    return try SQLiteIndexedFunctions.indexes(schema).map { index in
      StoreCheckFinding(
        .indexedFunctions, name: name, subject: index.table, count: 1,
        message: "the index \(index.name) was made by functions of another version; "
          + "opening the store for writing makes it anew")
    }
  }

  /// Virtual tables and triggers, which the library leaves alone (STO-214, STO-284).
  func foreignParts(_ name: String) throws -> [StoreCheckFinding] {
    let own = Set((schema.tables.map(\.name) + schema.joinTables.map(\.name)).map { $0.uppercased() })
    let statement = try connection.prepare(
      """
      SELECT type, name, tbl_name FROM sqlite_schema
      WHERE type = 'trigger' OR type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%' ORDER BY type, name
      """)
    var findings: [StoreCheckFinding] = []
    while try statement.step() {
      guard let part = statement.string(at: 1), let table = statement.string(at: 2) else { continue }
      let isOwn = own.contains(table.uppercased())
      if statement.string(at: 0) == "trigger" {
        guard isOwn else { continue }
        findings.append(
          StoreCheckFinding(
            .trigger, name: name, subject: table, severity: .warning, count: 1,
            message: "the trigger \(part) is not run; the store opens for reading only"))
      } else {
        findings.append(
          StoreCheckFinding(
            .virtualTable, name: name, subject: part, severity: isOwn ? .failure : .warning, count: 1,
            message: isOwn
              ? "the table is a virtual one" : "a virtual table, which is neither read nor written"))
      }
    }
    return findings
  }
}
