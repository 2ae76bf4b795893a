#if PostgreSQL
import GraphStore
import GraphStoreModel

extension PostgreSQLStore {
  /// Removes what belongs to a store, in one transaction.
  ///
  /// - Throws: ``PostgreSQLError`` where objects of others depend on it; `store-not-found`, `no-model`.
  static func remove(_ connection: PostgreSQLConnection, _ address: PostgreSQLAddress) throws {
    let schema = try schema(of: contents(connection, address), address)
    do {
      try connection.run((["BEGIN"] + schema.removals + ["COMMIT"]).map { .once($0) })
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

  /// The schema of a store that is there, by the model that it carries.
  ///
  /// - Throws: `no-model`, `store-corrupt`.
  static func schema(of contents: Contents, _ address: PostgreSQLAddress) throws -> PostgreSQLSchema {
    let stored = try WantedEntities.carried.entities(
      StoreOptions(), contents.metadata, path: address.text)
    return try PostgreSQLSchema(stored, named: address.schema, entityNumbers: contents.entityNumbers)
  }
}

extension PostgreSQLSchema {
  /// The statements that remove all of it.
  var removals: [String] {
    let views = viewNames().map { dialect.tableName($0.view) }
    return (views.isEmpty ? [] : ["DROP VIEW IF EXISTS \(views.joined(separator: ", "))"])
      + ["DROP TABLE IF EXISTS \(tableNames.map(dialect.tableName).joined(separator: ", "))"]
      + PostgreSQLFunction.removals(dialect)
  }

  /// The statements that move all of it into another schema.
  ///
  /// - Parameter isNew: Whether that is made.
  func moves(to destination: PostgreSQLDialect, isNew: Bool = true) -> [String] {
    let schema = dialect.name(destination.schema)
    return (isNew ? ["CREATE SCHEMA \(schema)"] : [])
      + tableNames.map { "ALTER TABLE \(dialect.tableName($0)) SET SCHEMA \(schema)" }
      + viewNames().map { "ALTER VIEW IF EXISTS \(dialect.tableName($0.view)) SET SCHEMA \(schema)" }
      + PostgreSQLFunction.moves(dialect, to: destination)
  }

  /// The names of all tables, those of the store itself among them.
  var tableNames: [String] {
    tables.tables.map(\.name) + tables.joinTables.map(\.name)
      + [tables.keyCounter.table, PostgreSQLTables.metadataTable] + PostgreSQLHistoryTables.names
  }
}
#endif
