import Foundation
import GraphStoreModel
import GraphStoreSQLite

/// Reads the models that stores carry, without opening a store for work.
///
/// ```swift
/// let loaded = try StoreModel.load(fromStoreAt: "company.db")
/// print(loaded.model.entities.map(\.name))
/// ```
public enum StoreModel {
  /// Reads the model inside the store at a path, which is only read.
  ///
  /// A store of this library carries it as JSON; a store of Core Data since 2015 as a compiled model, whose
  /// parts without meaning here are listed by the findings. Any thread may call it, beside other users of the
  /// store.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - timeout: How long it waits for a lock held by another process.
  /// - Throws: ``GraphStoreError``: `no-model` if the store carries none, or one that cannot be read;
  ///   otherwise what is wrong with the path, from `store-not-found` to `store-corrupt`.
  ///   ``/GraphStoreModel/ModelError`` if its JSON is damaged.
  public static func load(fromStoreAt path: String, timeout: Duration = StoreOptions.defaultTimeout) throws
    -> LoadedModel
  {
    try StoreRegistry.asking(nil, at: path) { try $0.carriedModel(at: path, timeout: timeout) }
  }

  /// Whether a path leads to a regular file that begins as stores do, which is not disturbed where it is
  /// open, or is the address of a store on a server.
  package static func isStore(_ path: String) -> Bool {
    if ServerAddress(path) != nil { return true }
    return RegularFile.firstBytes(path, count: StoreType.beginningLength).map(StoreRegistry.isStore) ?? false
  }

  /// Core Data's identification of a store's model: the hashes that the store records, and the compiled model
  /// that it carries.
  ///
  /// - Parameters:
  ///   - path: The file of a store of Core Data.
  ///   - timeout: How long it waits for a lock held by another process.
  /// - Returns: Nil for a store of this library, whose hashes are its own.
  /// - Throws: ``GraphStoreError``: what is wrong with the path, from `store-not-found` to `store-corrupt`.
  public static func coreDataVersion(
    ofStoreAt path: String, timeout: Duration = StoreOptions.defaultTimeout
  ) throws -> CoreDataVersion? {
    let metadata = try StoreRegistry.metadata(at: path, timeout: timeout)
    guard !metadata.isOurs else { return nil }
    if StoreRegistry.documentFormat(at: path) != nil {
      return CoreDataVersion(hashes: metadata.versionHashes, modelCache: nil)
    }
    do {
      let connection = try SQLiteConnection(
        path: path, mode: .reading(path), busyTimeout: timeout)
      defer { connection.close() }
      let hasCache = try SQLiteLayout.readTableNames(connection).contains(SQLiteLayout.modelCacheTable)
      let cache = hasCache ? try SQLiteLayout.readModelCache(connection) : nil
      return CoreDataVersion(hashes: metadata.versionHashes, modelCache: cache)
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }

  /// The model that the store at a location carries, without opening the store for work; nil where it carries
  /// none.
  ///
  /// - Parameters:
  ///   - url: The store's file.
  ///   - timeout: How long it waits for a lock held by another process.
  /// - Throws: as ``load(fromStoreAt:timeout:)``; `no-model` for one that cannot be read.
  public static func cachedModel(
    at url: URL, timeout: Duration = StoreOptions.defaultTimeout
  ) throws -> ManagedObjectModel? {
    do {
      return try load(fromStoreAt: LocationText.of(url), timeout: timeout).model
    } catch let error as GraphStoreError where error.code == .noModel && error.underlying == nil {
      return nil
    }
  }
}
