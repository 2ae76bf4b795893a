extension SQLSchema {
  /// The statements that make all tables and indexes, tables first.
  ///
  /// - Throws: `not-supported` for what cannot be said in tables and indexes yet.
  func createStatements(_ dialect: any SQLDialect) throws -> [String] {
    tables.map(dialect.createStatement) + joinTables.map(dialect.createStatement)
      + (try indexes(dialect).map(dialect.createStatement))
  }
}
