#if PostgreSQL
import GraphStore
import GraphStoreModel

extension PostgreSQLStore {
  /// Removes what belongs to a store, in one transaction.
  ///
  /// - Throws: ``PostgreSQLError`` where objects of others depend on it; `store-not-found`, `no-model`.
  static func remove(_ connection: PostgreSQLConnection, _ address: PostgreSQLAddress) throws {
    let contents = try contents(connection, address)
    let stored = try WantedEntities.carried.entities(
      StoreOptions(), contents.metadata, path: address.text)
    let schema = try PostgreSQLSchema(
      stored, named: address.schema, entityNumbers: contents.entityNumbers)
    let name = schema.dialect.tableName
    let views = schema.viewNames().map { name($0.view) }
    let tables =
      (schema.tables.tables.map(\.name) + schema.tables.joinTables.map(\.name)
      + [schema.tables.keyCounter.table, PostgreSQLTables.metadataTable] + PostgreSQLHistoryTables.names)
      .map(name)
    do {
      try connection.run(
        [.once("BEGIN")]
          + (views.isEmpty ? [] : [.once("DROP VIEW IF EXISTS \(views.joined(separator: ", "))")])
          + [.once("DROP TABLE IF EXISTS \(tables.joined(separator: ", "))")]
          + PostgreSQLFunction.removals(schema.dialect).map { .once($0) } + [.once("COMMIT")])
    } catch {
      if connection.isOpen { _ = try? connection.run([.once("ROLLBACK")]) }
      throw error
    }
    // What others keep in the schema stays there.
    do {
      try connection.run([.once("DROP SCHEMA \(schema.dialect.name(address.schema))")])
    } catch let failure as PostgreSQLError where !failure.isConnectionLost {
      return
    }
  }
}
#endif
