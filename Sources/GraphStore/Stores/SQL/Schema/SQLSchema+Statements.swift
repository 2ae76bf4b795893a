extension SQLSchema {
  /// The statements that make all tables and indexes, tables first.
  ///
  /// - Throws: `not-supported` for what cannot be said in tables and indexes yet.
  func createStatements(_ dialect: any SQLDialect) throws -> [String] {
    createTableStatements(dialect) + (try indexes(dialect).map(dialect.createStatement))
  }

  /// The statements that make all tables.
  func createTableStatements(_ dialect: any SQLDialect) -> [String] {
    tables.map(dialect.createStatement) + joinTables.map(dialect.createStatement)
  }
}
