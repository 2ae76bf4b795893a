import GraphStoreModel

extension SQLSchema {
  /// The statements that make all tables and indexes, tables first.
  ///
  /// - Throws: `not-supported` for what cannot be said in tables and indexes yet.
  func createStatements(_ dialect: any SQLDialect) throws -> [String] {
    tables.map(createStatement) + joinTables.map(createStatement) + (try indexes(dialect).map(\.sql))
  }

  /// CREATE TABLE of an entity's table.
  func createStatement(_ table: SQLTable) -> String {
    var columns = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
    columns += table.columns.map { "\($0.quotedName) \($0.declaredType)" }
    return "CREATE TABLE \(table.quotedName) ( \(columns.joined(separator: ", ")) )"
  }

  /// CREATE TABLE of a table of pairs.
  func createStatement(_ table: SQLJoinTable) -> String {
    let columns = table.columns.map { SQLName.quoted($0) + " INTEGER" }.joined(separator: ", ")
    let key = [table.source, table.destination].map(SQLName.quoted).joined(separator: ", ")
    return "CREATE TABLE \(table.quotedName) ( \(columns), PRIMARY KEY (\(key)) )"
  }
}
