extension SQLSchema {
  /// All indexes as SQLite has them.
  func indexes() throws -> [SQLIndex] { try indexes(SQLiteDialect()) }

  /// The statements that make all tables and indexes in SQLite.
  func createStatements() throws -> [String] { try createStatements(SQLiteDialect()) }

  /// The statements that make all tables in SQLite.
  func createTableStatements() -> [String] { createTableStatements(SQLiteDialect()) }
}
