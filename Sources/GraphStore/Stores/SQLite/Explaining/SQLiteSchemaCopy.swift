import GraphStoreSQLite

/// An empty copy of a store's tables and indexes with the store's statistics, to try plans on (DGN-085).
struct SQLiteSchemaCopy {
  let connection: SQLiteConnection

  init(of store: SQLiteConnection) throws {
    connection = try SQLiteConnection.inMemory()
    try SQLiteDialect.install(on: connection)
    let texts = try Self.rows(
      store,
      """
      SELECT sql FROM sqlite_schema WHERE type IN ('table', 'index') AND sql IS NOT NULL \
      AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY type DESC
      """, columns: 1)
    for text in texts { try connection.execute(text[0] ?? "") }
    guard try Self.hasStatistics(store) else { return }
    try connection.execute("ANALYZE")
    try connection.execute("DELETE FROM sqlite_stat1")
    for row in try Self.rows(store, "SELECT tbl, idx, stat FROM sqlite_stat1", columns: 3) {
      try connection.withStatement("INSERT INTO sqlite_stat1 VALUES (?, ?, ?)") { statement in
        for (position, value) in row.enumerated() {
          try statement.bind(value.map(SQLBinding.text) ?? .null, at: position + 1)
        }
        _ = try statement.step()
      }
    }
    try connection.execute("ANALYZE sqlite_schema")
  }

  static func hasStatistics(_ store: SQLiteConnection) throws -> Bool {
    try store.int64("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'") != nil
  }

  static func rows(_ store: SQLiteConnection, _ sql: String, columns: Int) throws -> [[String?]] {
    try store.withStatement(sql) { statement in
      var rows: [[String?]] = []
      while try statement.step() {
        rows.append((0..<columns).map { statement.isNull(at: $0) ? nil : statement.string(at: $0) })
      }
      return rows
    }
  }
}
