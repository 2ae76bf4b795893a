import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// Summary of a store without its model: for stores whose model is missing, damaged or another one.
///
/// ```swift
/// let summary = try StoreSummary.read(path: "company.db")
/// print(summary.identifier ?? "-", summary.entityNames, summary.damage ?? "no damage")
/// ```
public struct StoreSummary: Sendable {
  /// The store's UUID in capitals; nil where it cannot be read.
  public let identifier: String?
  /// The metadata, as far as it can be read.
  public let metadata: [String: Value]
  /// The names of the entities, in the order of their numbers in the file.
  public let entityNames: [String]
  /// Whether Core Data made it, or it has Core Data's form.
  public let isMadeByCoreData: Bool
  /// The version of the framework that made it, where its metadata say so.
  public let frameworkVersion: Int?
  /// The bytes a page of the file; nil for a store that is none of SQLite's, as with the following.
  public let pageSize: Int?
  /// SQLite's name for the way in which the file keeps a transaction until it is committed, such as `wal`.
  public let journalMode: String?
  /// How free pages are given back: 0 not at all, 1 by each transaction, 2 on demand, as stores have it of
  /// themselves.
  public let autoVacuum: Int?
  /// The reason why the metadata cannot be read, as a sentence; nil where they can.
  public let damage: String?

  /// Reads what a store says of itself; the store is only read.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - timeout: How long it waits for a lock held by another process.
  /// - Throws: ``GraphStoreError``: what is wrong with the path, from `store-not-found` to `store-corrupt`.
  public static func read(path: String, timeout: Duration = StoreOptions.defaultTimeout) throws
    -> StoreSummary
  {
    if let type = StoreType.detected(at: path), type != .sqlite {
      return StoreSummary(try StoreRegistry.metadata(of: type, at: path, timeout: timeout))
    }
    let found = SQLiteProbe.probe(path)
    if case .damagedMetadata = found {} else { _ = try found.metadata(path: path) }
    do {
      let connection = try SQLiteConnection.openForReading(path, busyTimeout: timeout)
      defer { connection.close() }
      return try StoreSummary(try StoreHeader.read(connection).get(), connection)
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }

  /// The version of SQLite that reads and writes stores, such as `3.45.1`.
  public static var sqliteVersion: String { SQLiteConnection.libraryVersion }

  private init(_ metadata: StoreMetadata) {
    identifier = metadata.identifier.uuidString
    self.metadata = metadata.all
    entityNames = metadata.versionHashes.keys.sorted()
    damage = nil
    isMadeByCoreData = !metadata.isOurs
    frameworkVersion = metadata.frameworkVersion
    pageSize = nil
    journalMode = nil
    autoVacuum = nil
  }

  private init(_ contents: StoreHeader, _ connection: SQLiteConnection) throws {
    let metadata = contents.metadata
    let isKnown = metadata.identifier != StoreMetadata.unknownIdentifier
    identifier = isKnown ? metadata.identifier.uuidString : nil
    self.metadata = isKnown ? metadata.all : metadata.values
    entityNames = contents.entityNumbers.sorted { $0.value < $1.value }.map(\.key)
    damage = contents.damage
    isMadeByCoreData = isKnown && !metadata.isOurs
    frameworkVersion = isKnown ? metadata.frameworkVersion : nil
    pageSize = try connection.int64("PRAGMA page_size").map { Int($0) }
    journalMode = try connection.string("PRAGMA journal_mode")
    autoVacuum = try connection.int64("PRAGMA auto_vacuum").map { Int($0) }
  }
}
