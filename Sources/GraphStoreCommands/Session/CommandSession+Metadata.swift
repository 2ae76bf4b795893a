import Foundation
import GraphStore

/// The store's metadata, by the store's location: no record is read, and no model needed (STO-120).
extension CommandSession {
  /// The metadata; within a transaction as it has them.
  func metadata() throws -> [String: Value] {
    let path = try metadataPath()
    if let transaction = openContext?.coordinator.currentTransaction { return try transaction.metadata() }
    return try recovering(path) {
      try PersistentStoreCoordinator.metadataForPersistentStore(
        at: LocationText.url(path), timeout: timeout)
    }
  }

  /// Sets, or with nil removes, metadata at once; within a transaction as a part of it.
  func changeMetadata(_ changes: [String: Value?]) throws {
    let path = try metadataPath()
    SaveProgress.begin()
    if let transaction = openContext?.coordinator.currentTransaction {
      try transaction.setMetadata(changes)
    } else {
      if settings.isReadOnly { throw readOnly(path) }
      try SaveProgress.commit(reaching: isShared ? .part : .all) {
        try PersistentStoreCoordinator.changeMetadata(changes, at: path, timeout: timeout)
      }
    }
    hasChanged = true
  }

  /// The path of the store, which within a session is the session's.
  private func metadataPath() throws -> String {
    // The session says so where another store is named.
    if openContext != nil { _ = try context(.read) }
    return try storePath()
  }

  /// What is said of a change that `--read-only` forbids.
  func readOnly(_ path: String) -> GraphStoreError {
    GraphStoreError(
      .readOnlyStore, "\(path) was opened for reading only.",
      remedy: "Open it for writing, with the right to write the file and its folder.")
  }
}
