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
    let found = SQLiteProbe.probe(path)
    if case .damagedMetadata = found {} else { _ = try found.metadata(path: path) }
    do {
      let connection = try SQLiteConnection.openForReading(path, busyTimeout: timeout)
      defer { connection.close() }
      return StoreSummary(try StoreHeader.read(connection).get())
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }

  private init(_ contents: StoreHeader) {
    let metadata = contents.metadata
    let isKnown = metadata.identifier != StoreMetadata.unknownIdentifier
    identifier = isKnown ? metadata.identifier.uuidString : nil
    self.metadata = isKnown ? metadata.all : metadata.values
    entityNames = contents.entityNumbers.sorted { $0.value < $1.value }.map(\.key)
    damage = contents.damage
  }
}
