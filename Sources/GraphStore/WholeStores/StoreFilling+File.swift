import Foundation
import GraphStoreModel
import GraphStoreSQLite

/// The file of a store that is being filled.
extension StoreFilling {
  /// Makes the tables without their indexes, and the system rows.
  static func makeTables(of stored: StoredEntities, _ form: StoreForm, at path: String) throws {
    let schema = SQLSchema(stored, keepingPairsOf: form.pairedRelationships(in: stored.model))
    var metadata = StoreMetadata(
      identifier: form.identifier, stored,
      modelText: String(decoding: stored.model.jsonData(), as: UTF8.self))
    try metadata.setUserValues(form.metadata.mapValues { $0 })
    if try !SQLiteIndexedFunctions.indexes(schema).isEmpty, metadata.isOurs {
      metadata.values[StoreMetadata.Key.functions] = SQLiteIndexedFunctions.version
    }
    let history =
      form.tracksHistory
      ? SQLiteHistoryTables(tombstoneCount: SQLiteHistory.tombstoneCount(schema)) : nil
    do {
      let connection = try SQLiteConnection(path: path, mode: .readWrite)
      defer { connection.close() }
      try SQLiteLayout.checkWidth(schema, connection)
      try SQLiteLayout.fill(
        connection, schema: schema, metadata: metadata, history, path: path, hasIndexes: false)
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }

  /// Has the file keep a write-ahead log from now on, as every new store does.
  static func useLog(_ path: String) throws {
    do {
      let connection = try SQLiteConnection(path: path, mode: .readWrite)
      defer { connection.close() }
      _ = try connection.string("PRAGMA journal_mode = WAL")
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }
}
