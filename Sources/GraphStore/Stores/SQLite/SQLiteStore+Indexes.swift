import GraphStorePredicates
import GraphStoreSQLite

extension SQLiteStore {
  /// Makes the indexes that the model asks for and the file lacks, and removes those that the model does not have; to be
  /// called within a transaction.
  ///
  /// - Throws: `constraint-conflict` when a uniqueness constraint has no index any more and rows break it.
  func rebuildIndexes() throws -> IndexChanges {
    try reporting {
      let comparison = try SQLiteIndexComparison(connection, schema)
      for name in comparison.surplus { try connection.execute("DROP INDEX \(SQLName.quoted(name))") }
      for index in comparison.missing { try connection.execute(index.sql) }
      try noteIndexedFunctions()
      return IndexChanges(made: comparison.missing.map(\.name), removed: comparison.surplus)
    }
  }

  /// What ``rebuildIndexes()`` would do.
  func indexDifference() throws -> IndexChanges {
    try reporting {
      let comparison = try SQLiteIndexComparison(connection, schema)
      return IndexChanges(made: comparison.missing.map(\.name), removed: comparison.surplus)
    }
  }

  /// Writes down the version of the functions in the indexes, where the store says none.
  private func noteIndexedFunctions() throws {
    guard try !SQLiteIndexedFunctions.indexes(schema).isEmpty else { return }
    var metadata = try SQLiteLayout.readMetadata(connection)
    guard metadata.format != nil,
      metadata.values[StoreMetadata.Key.functions] != SQLiteIndexedFunctions.version
    else { return }
    metadata.values[StoreMetadata.Key.functions] = SQLiteIndexedFunctions.version
    try SQLiteLayout.writeMetadata(connection, metadata)
  }
}
