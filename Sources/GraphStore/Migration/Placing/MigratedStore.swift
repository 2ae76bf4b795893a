import Foundation
import GraphStoreModel

/// Store that is migrated: kept from other writers, read as a store of type SQLite, and replaced at the end
/// by what the last step has made of it.
///
/// A store of type SQLite is read and replaced as it is (``MigratedSQLiteStore``); a document by way of a
/// copy (``MigratedDocument``).
protocol MigratedStore: AnyObject {
  /// The path of the store, without symbolic links.
  var path: String { get }
  /// The metadata that it had when it was locked.
  var metadata: StoreMetadata { get }

  /// The path of a SQLite store with everything that it holds, which is only read.
  ///
  /// - Throws: ``LockedStore/Cancelled``; what is wrong with a document.
  func readingPath() throws -> String
  /// A SQLite store with everything that it holds, which may be changed.
  ///
  /// - Throws: As ``readingPath()``; `disk-full`, `store-permission`.
  func makeCopy() throws -> TemporaryStore
  /// The first step has read it.
  func endReading()
  /// Does all that the steps do where the store is, if nothing of it has to be read for that.
  ///
  /// - Returns: The numbers of objects by the names of new entities; nil where the steps are to be run.
  /// - Throws: ``LockedStore/Cancelled``; `store-timeout`.
  func migrateInPlace(keepsFormer: Bool) throws -> [String: Int]?

  /// Makes the file that is going to be the store: whole, durable and checked.
  ///
  /// - Parameters:
  ///   - result: The store that the last step has filled, which is finished.
  ///   - identifier: Its identifier.
  /// - Throws: ``LockedStore/Cancelled``; `migration-failed`, `disk-full`.
  func complete(_ result: TemporaryStore, identifier: UUID) throws
  /// Makes a copy of the store, as the file that is going to be one.
  ///
  /// - Parameter identifier: Its identifier; nil for that of the store.
  /// - Throws: `disk-full`, `store-permission`.
  func completeCopy(identifier: UUID?) throws

  /// Puts the completed file in the place of the store.
  ///
  /// - Returns: The path of the old store; nil where it is gone.
  /// - Throws: ``ReplacedMeanwhile``, ``LockedStore/Cancelled``; `store-timeout`, `disk-full`,
  ///   `store-permission`. The old store is at its path then.
  func replace(keepingOldAs name: StoreReplacement.KeptName) throws -> String?
  /// Puts the completed file to another path.
  ///
  /// - Parameter removesSource: Whether the old store is going to be removed, and may not change any more.
  /// - Throws: ``LockedStore/Cancelled``; `store-exists`, `store-in-use`, `store-timeout`,
  ///   `store-permission`, `disk-full`; `store-replaced`, `file-changed` for an old store that others have
  ///   changed, and that was to be removed.
  func place(at target: StoreDestination, removesSource: Bool) throws
  /// Moves the old store back to its path.
  ///
  /// - Throws: ``WrittenMeanwhile``; `store-timeout`, `store-open`, `store-save-failed`.
  func putBack(_ backup: String) throws
  /// Removes the old store, which was replaced.
  func removeBackup(_ backup: String)
  /// Removes the old store, which is locked, after a migration to another path.
  func remove()
  /// Lets others write to the store again.
  func release()
}

extension MigratedStore {
  func migrateInPlace(keepsFormer: Bool) throws -> [String: Int]? { nil }
}

/// Others have replaced a store, or changed a document, since it was locked.
struct ReplacedMeanwhile: Error {
  /// The failure of a migration that cannot go on.
  let failure: GraphStoreError
}

/// Others have written to a store since it was moved to its path.
struct WrittenMeanwhile: Error {}
