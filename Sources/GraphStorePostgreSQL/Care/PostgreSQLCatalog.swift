#if PostgreSQL
import GraphStore

/// What a database says of the schema of a store: its tables, columns, indexes and foreign keys.
struct PostgreSQLCatalog {
  /// An index of a table.
  struct Index {
    let name: String
    /// Its first column; nil for an expression.
    let first: String?
  }

  /// The types of columns by their names, by table.
  private(set) var columns: [String: [String: String]] = [:]
  /// The indexes by table, without those of primary keys.
  private(set) var indexes: [String: [Index]] = [:]
  /// The names of all indexes, and of the foreign keys that hold for all rows.
  private(set) var names: Set<String> = []
  /// The tables that the server has statistics of.
  private(set) var analyzed: Set<String> = []

  init(_ session: PostgreSQLSession) throws {
    self = try session.reporting {
      try PostgreSQLCatalog(session.connection, schema: session.store.address.schema)
    }
  }

  /// - Throws: ``PostgreSQLError``.
  init(_ connection: PostgreSQLConnection, schema name: String) throws {
    let schema = [PostgreSQLParameter(name)]
    var cursor = try connection.run(
      """
      SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_class AS c
        JOIN pg_namespace AS n ON n.oid = c.relnamespace JOIN pg_attribute AS a ON a.attrelid = c.oid
        WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
      """, schema)
    while try cursor.step() {
      columns[cursor.string(at: 0), default: [:]][cursor.string(at: 1)] = cursor.string(at: 2)
    }
    cursor = try connection.run(
      """
      SELECT t.relname, i.relname, a.attname, x.indisprimary FROM pg_index AS x
        JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_class AS t ON t.oid = x.indrelid
        JOIN pg_namespace AS n ON n.oid = t.relnamespace
        LEFT JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = x.indkey[0] AND a.attnum > 0
        WHERE n.nspname = $1 AND x.indisvalid ORDER BY 1, 2
      """, schema)
    while try cursor.step() {
      names.insert(cursor.string(at: 1))
      if cursor.int64(at: 3) != 0 { continue }
      let first = cursor.isNull(at: 2) ? nil : cursor.string(at: 2)
      indexes[cursor.string(at: 0), default: []].append(Index(name: cursor.string(at: 1), first: first))
    }
    cursor = try connection.run(
      """
      SELECT k.conname FROM pg_constraint AS k JOIN pg_namespace AS n ON n.oid = k.connamespace
        WHERE n.nspname = $1 AND k.contype = 'f' AND k.convalidated
      """, schema)
    while try cursor.step() { names.insert(cursor.string(at: 0)) }
    cursor = try connection.run("SELECT DISTINCT tablename FROM pg_stats WHERE schemaname = $1", schema)
    while try cursor.step() { analyzed.insert(cursor.string(at: 0)) }
  }

  /// Those of some columns that a table lacks; nil where the table itself is missing.
  func missing(_ columns: [String], in table: String) -> [String]? {
    self.columns[table].map { present in columns.filter { present[$0] == nil } }
  }
}
#endif
