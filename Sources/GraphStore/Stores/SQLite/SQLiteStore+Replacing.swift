import CGraphStoreShims
import Foundation
import GraphStoreFiles
import GraphStoreModel
import GraphStoreSQLite

/// Whether the file of the store, and the process that opened it, are still the same.
extension SQLiteStore {
  /// - Throws: `store-replaced` where the file is not the one that was opened any more; `incompatible-model`
  ///   where it is the store, migrated by another process.
  func checkFile(_ connection: SQLiteConnection) throws {
    if !isPrivate, connection.hasFileMoved { throw Self.replaced(path, scope.identifier, schema.stored) }
  }

  /// As ``checkFile(_:)``, once a second: a look at the file costs as much as a small read.
  func checkFileNowAndThen(_ connection: SQLiteConnection) throws {
    if isPrivate { return }
    let now = gs_coarse_nanoseconds()
    let last = lastFileCheck.load(ordering: .relaxed)
    guard now - last > 1_000_000_000 else { return }
    try checkFile(connection)
    lastFileCheck.store(now, ordering: .relaxed)
  }

  /// - Throws: `store-forked` in a process that was forked from the one that opened the store (STO-212).
  func checkProcess() throws {
    guard gs_fork_count() != forkCount else { return }
    throw GraphStoreError(
      .storeForked, "\(path) was opened before the process was forked.",
      remedy: "Open it anew: connections and locks of the former process cannot be used in this one.")
  }

  static func replaced(
    _ path: String, _ identifier: UUID, _ entities: StoredEntities
  ) -> GraphStoreError {
    if let metadata = (try? SQLiteMetadataFile.read(path, timeout: .zero)), metadata.identifier == identifier,
      metadata.isOurs || entities.coreDataHashes != nil,
      metadata.versionHashes != entities.hashesToRecord
    {
      var error = GraphStoreError.incompatibility(metadata, given: entities, path: path)
      error.message = "\(path) was migrated by another process while it was open. " + error.message
      error.remedy = "Open it anew with the model that it carries now; nothing was written."
      return error
    }
    let exists = FileManager.default.fileExists(atPath: path)
    return GraphStoreError(
      .storeReplaced,
      exists
        ? "\(path) is another file than the one that was opened: it was replaced meanwhile."
        : "\(path) was removed or moved after it was opened.",
      remedy: "Open the store anew, and repeat a change that was being saved: nothing was written.")
  }
}
