#if PostgreSQL
/// A foreign key, which is looked at when a transaction commits.
struct PostgreSQLReference {
  let table: String
  let column: String
  /// The table that it leads to.
  let target: String
  let name: String

  /// The statement that makes it.
  func statement(_ dialect: PostgreSQLDialect) -> String {
    let key = PostgreSQLSchema.naming.systemColumns.key
    return "ALTER TABLE \(dialect.tableName(table)) ADD CONSTRAINT \(dialect.name(name)) "
      + "FOREIGN KEY (\(dialect.name(column))) REFERENCES \(dialect.tableName(target)) "
      + "(\(dialect.name(key))) DEFERRABLE INITIALLY DEFERRED"
  }
}
#endif
