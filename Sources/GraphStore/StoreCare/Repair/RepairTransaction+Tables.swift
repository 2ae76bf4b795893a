import GraphStoreModel
import GraphStoreSQLite

extension RepairTransaction {
  /// Makes tables and columns in which nothing can have been: of a table whose entities never had an object,
  /// and of one without rows. A join table never had a link where one of its ends never had an object.
  mutating func mendTables() throws {
    let dialect = SQLiteDialect()
    let present = try SQLiteLayout.readTableNames(connection)
    for table in schema.tables {
      if present.contains(table.name) {
        try addColumns(to: table, dialect)
      } else if try neverHadRows(table) {
        try make(table.name, dialect.createStatement(table))
      }
    }
    for table in schema.joinTables where !present.contains(table.name) {
      guard try neverHadRows(table.sourceEntity.table) || neverHadRows(table.destinationEntity.table) else {
        continue
      }
      try make(table.name, dialect.createStatement(table))
    }
  }

  private mutating func make(_ name: String, _ sql: String) throws {
    try connection.execute(sql)
    note("tables", name, count: 1, "make the table, which never had a row")
  }

  private mutating func addColumns(to table: SQLTable, _ dialect: SQLiteDialect) throws {
    let known = table.columns.map { ($0.name, "\($0.quotedName) \(dialect.declaredType($0.kind))") }
    let columns = [("Z_ENT", "Z_ENT INTEGER"), ("Z_OPT", "Z_OPT INTEGER")] + known
    let missing = try inspector.missingColumns(table.name, columns.map(\.0))
    guard !missing.isEmpty, try isEmpty(table.name) else { return }
    for (name, declaration) in columns where missing.contains(name) {
      try connection.execute("ALTER TABLE \(table.quotedName) ADD COLUMN \(declaration)")
    }
    note(
      "tables", table.name, count: missing.count,
      "add \(missing.joined(separator: ", ")) to the table, which has no rows")
  }

  private func isEmpty(_ table: String) throws -> Bool {
    try connection.int64("SELECT 1 FROM \(SQLName.quoted(table)) LIMIT 1") == nil
  }

  /// Whether no key was ever handed out to an object of a table, and none is referred to.
  private func neverHadRows(_ table: SQLTable) throws -> Bool {
    let counter = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(table.root.namingNumber)"
    guard try connection.int64(counter) == 0 else { return false }
    return try referringKeys(to: table).allSatisfy { try connection.int64("\($0) LIMIT 1") == nil }
  }

  /// Queries for the keys by which a table's rows are referred to, in references and links.
  func referringKeys(to table: SQLTable) -> [String] {
    let references = schema.tables.filter(inspector.isSound).flatMap(\.columns).filter { column in
      guard column.kind == .toOneKey, let relationship = column.property as? RelationshipDescription else {
        return false
      }
      return schema.entity(relationship.destination).table === table
    }.map { (column: $0.quotedName, table: $0.table.quotedName) }
    let links = schema.joinTables.filter(inspector.isSound).flatMap { join in
      [(join.source, join.sourceEntity), (join.destination, join.destinationEntity)]
        .filter { $0.1.table === table }.map { (column: SQLName.quoted($0.0), table: join.quotedName) }
    }
    let owners = schema.ownerColumns.filter { $0.owner.table === table && inspector.isSound($0.key.table) }
      .map { (column: $0.key.quotedName, table: $0.key.table.quotedName) }
    return (references + links + owners).map {
      "SELECT \($0.column) FROM \($0.table) WHERE \($0.column) IS NOT NULL"
    }
  }
}
