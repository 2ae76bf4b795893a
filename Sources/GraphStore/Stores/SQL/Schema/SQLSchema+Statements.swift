import GraphStoreModel

extension SQLSchema {
  /// The statements that make all tables and indexes, tables first.
  ///
  /// - Throws: `not-supported` for what cannot be said in tables and indexes yet.
  func createStatements(_ dialect: any SQLDialect) throws -> [String] {
    try checkAttributes()
    return tables.map(createStatement) + joinTables.map(createStatement) + (try indexes(dialect).map(\.sql))
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

  private func checkAttributes() throws {
    for entity in entitiesInOrder {
      for case let attribute as AttributeDescription in entity.entity.ownProperties
      where !attribute.isTransient {
        guard SQLColumn.Kind(attribute.type) == nil else { continue }
        throw GraphStoreError(
          .notSupported,
          "\(attribute) is of type \(attribute.type.rawValue), which a SQLite store cannot hold yet.",
          remedy: "Give it another type, or make it transient.", entity: entity.entity.name,
          property: attribute.name)
      }
    }
  }
}
