import GraphStoreModel
import GraphStoreSQLite

extension ManagedObjectModel {
  /// What a store is refused for: a tree of entities that has more properties than a table has columns; nil where all fit.
  ///
  /// - Throws: what else keeps the model from being laid out.
  package func widthFailure() throws -> GraphStoreError? {
    let schema = SQLSchema(try StoredEntities(self, configuration: nil))
    let connection = try SQLiteConnection.inMemory()
    defer { connection.close() }
    do {
      try SQLiteLayout.checkWidth(schema, connection)
      return nil
    } catch let failure as GraphStoreError where failure.code == .modelTooWide {
      return failure
    }
  }
}
