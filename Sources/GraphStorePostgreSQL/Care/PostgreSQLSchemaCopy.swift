#if PostgreSQL
import GraphStore

/// Copy of a store within its database, as another schema: all rows as they are, of a damaged store also
/// those that no index or foreign key would let in. The history stays behind.
struct PostgreSQLSchemaCopy {
  private let connection: PostgreSQLConnection
  private let address: PostgreSQLAddress
  private let schema: SQLSchema
  private let source: PostgreSQLDialect

  init(
    of schema: SQLSchema, _ dialect: PostgreSQLDialect, at address: PostgreSQLAddress,
    _ connection: PostgreSQLConnection
  ) {
    (self.schema, source, self.address, self.connection) = (schema, dialect, address, connection)
  }

  init(_ session: PostgreSQLWriteSession) {
    let store = session.store
    self.init(of: session.schema, store.dialect, at: store.address, session.connection)
  }

  /// Makes it within the transaction.
  ///
  /// - Parameter isWhole: Whether it gets the indexes, foreign keys and views of the store.
  /// - Returns: The name of its schema.
  func run(isWhole: Bool = false) throws -> String {
    try reportingPostgreSQL(address.text) {
      let name = try PostgreSQLStore.freeName(for: address.schema, connection)
      let copy = PostgreSQLSchema(tables: schema, dialect: PostgreSQLDialect(schema: name))
      let present = try PostgreSQLCatalog(connection, schema: address.schema).columns
      let making =
        ["CREATE SCHEMA \(source.name(name))"] + copy.tableStatements
        + PostgreSQLTables.creating(copy.dialect)
        + PostgreSQLHistoryTables(copy.dialect).creating(isKept: false)
        + ["DELETE FROM \(copy.dialect.tableName(schema.keyCounter.table))"]
      let system = schema.systemColumns.all
      let tables =
        schema.tables.map { ($0.name, system + $0.columns.map(\.name)) }
        + schema.joinTables.map { ($0.name, $0.columns) }
        + [
          (schema.keyCounter.table, [schema.keyCounter.entity, "name", "parent", schema.keyCounter.last]),
          (PostgreSQLTables.metadataTable, ["identifier", "metadata"]),
        ]
      let filling = tables.compactMap { table, columns -> String? in
        let names = columns.filter { present[table]?[$0] != nil }.map(source.name).joined(separator: ", ")
        guard !names.isEmpty else { return nil }
        return "INSERT INTO \(copy.dialect.tableName(table)) (\(names)) "
          + "SELECT \(names) FROM \(source.tableName(table))"
      }
      let attaching = isWhole ? try copy.otherStatements() : []
      try connection.run((making + filling + attaching).map { .once($0) })
      return name
    }
  }
}
#endif
