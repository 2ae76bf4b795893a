import Foundation
import GraphStoreModel
import GraphStoreSQLite

/// Finds the model that a store carries: ours as JSON, that of a store of Core Data as a compiled model.
enum EmbeddedModelReader {
  /// Reads and checks the model.
  ///
  /// - Parameter isTrusted: Whether patterns need not be compiled yet: they were when the store was made.
  /// - Throws: `no-model` for a store of Core Data that carries none, or one that cannot be read;
  ///   `store-corrupt` for a store of ours whose model is missing, for one whose metadata is damaged and for
  ///   a trusted one that is damaged; ``ModelError`` for another.
  static func read(
    _ connection: SQLiteConnection, _ contents: StoreHeader, path: String, isTrusted: Bool = true
  ) throws -> LoadedModel {
    let metadata = contents.metadata
    let name = ModelFile.baseName(of: path)
    if let text = metadata.modelText {
      guard isTrusted else { return try LoadedModel(json: text, name: name) }
      do {
        return try LoadedModel(storedJSON: text, name: name)
      } catch {
        throw GraphStoreError(
          .storeCorrupt, "The model inside \(path) cannot be read.",
          remedy: "Give the model that it was made with.", underlying: error)
      }
    }
    guard metadata.format == nil else {
      throw GraphStoreError(
        .storeCorrupt, "The store's metadata lacks its model, \(StoreMetadata.Key.model).",
        remedy: "Restore the store from a backup.")
    }
    guard contents.tables.contains(SQLiteLayout.modelCacheTable),
      let bytes = try SQLiteLayout.readModelCache(connection)
    else {
      if let damage = contents.damage {
        throw GraphStoreError(
          .storeCorrupt, "\(path) is damaged. \(damage)",
          remedy: "Restore it from a backup, or give its model to read its records.")
      }
      throw GraphStoreError(
        .noModel, "\(path) carries no model.", remedy: "Give the model that it was made with.")
    }
    do {
      return try LoadedModel(modelCache: bytes, name: name)
    } catch {
      var failure = GraphStoreError(
        .noModel, "The model inside \(path) cannot be read.",
        remedy: "Give the model that it was made with.", underlying: error)
      failure.details = error.problems.prefix(20).map(\.briefDescription)
      throw failure
    }
  }
}
