#if PostgreSQL
import GraphStore

extension PostgreSQLStoreDriver {
  func additions(toStoreAt path: String, timeout: Duration) throws -> [String] {
    try withConnection(path, timeout) { connection, address in
      let schema = try PostgreSQLStore.schema(of: PostgreSQLStore.contents(connection, address), address)
      return try PostgreSQLAdditions(to: schema, connection).names
    }
  }
}

/// What others have added to the tables of a store, in words.
struct PostgreSQLAdditions {
  private(set) var names: [String] = []

  /// - Throws: ``PostgreSQLError``; `not-supported`.
  init(to schema: PostgreSQLSchema, _ connection: PostgreSQLConnection) throws {
    let catalog = try PostgreSQLCatalog(connection, schema: schema.dialect.schema)
    let system = schema.tables.systemColumns.all
    let tables =
      schema.tables.tables.map { (name: $0.name, columns: system + $0.columns.map(\.name)) }
      + schema.tables.joinTables.map { (name: $0.name, columns: $0.columns) }
    let indexes = Set(try schema.indexes().map(\.name))
    for table in tables {
      let columns = catalog.columns[table.name, default: [:]].keys.filter { !table.columns.contains($0) }
      names += columns.sorted().map { "the column \(table.name).\($0)" }
      names += catalog.indexes[table.name, default: []].map(\.name).filter { !indexes.contains($0) }
        .map { "the index \($0)" }
    }
    let place = PostgreSQLName.literal(schema.dialect.name(schema.dialect.schema))
    let cursor = try connection.run([
      .once(
        "SELECT relname::text, 'the trigger ' || tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
          + "WHERE NOT tgisinternal AND relnamespace = \(place)::regnamespace "
          + "UNION ALL SELECT relname::text, 'the policy ' || polname FROM pg_policy "
          + "JOIN pg_class ON pg_class.oid = polrelid WHERE relnamespace = \(place)::regnamespace "
          + "UNION ALL SELECT relname::text, 'the check ' || conname FROM pg_constraint "
          + "JOIN pg_class ON pg_class.oid = conrelid WHERE contype = 'c' "
          + "AND relnamespace = \(place)::regnamespace ORDER BY 1, 2")
    ])[0]
    let own = Set(tables.map(\.name))
    while try cursor.step() {
      if own.contains(cursor.string(at: 0)) {
        names.append("\(cursor.string(at: 1)) of \(cursor.string(at: 0))")
      }
    }
  }
}
#endif
