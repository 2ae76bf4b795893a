import Foundation

/// One save or batch request in the history of a store, by whatever process.
///
/// It is a value of its own: what is purged from the store later stays readable in it.
///
/// ```swift
/// try coordinator.enableHistoryTracking(of: archive)
/// context.transactionAuthor = "payroll"
/// employee.name = "Ada King"
/// try context.save()
/// for transaction in try context.execute(.fetchHistory(after: nil)).transactions {
///   print(transaction.author ?? "-", transaction.timestamp, transaction.changes?.count ?? 0)
/// }
/// ```
public struct PersistentHistoryTransaction: Sendable {
  let header: HistoryTransactionHeader
  /// The changes in the order in which they were written; nil where the request did not ask for them.
  public let changes: [PersistentHistoryChange]?

  package init(header: HistoryTransactionHeader, changes: [PersistentHistoryChange]?) {
    self.header = header
    self.changes = changes
  }

  /// The number of the transaction in its store: from 1, in the order of commits, never used twice.
  public var transactionNumber: Int64 { header.number }

  /// The time of the commit by the clock of the process that wrote it, of a store on a server by the
  /// server's; a later transaction may have an earlier time.
  public var timestamp: Date { header.timestamp }

  /// The author that the context had, see ``ManagedObjectContext/transactionAuthor``; nil for none.
  public var author: String? { header.author }

  /// The name that the context had; nil for none.
  public var contextName: String? { header.contextName }

  /// The name of the executable that wrote it.
  public var bundleID: String { header.bundleID }

  /// The number of the process that wrote it, as text.
  public var processID: String { header.processID }

  /// The UUID of the store.
  public var storeID: String { header.scope.uuid }

  /// The place in the history of the store right after the transaction.
  public var token: PersistentHistoryToken { PersistentHistoryToken(store: storeID, place) }

  var place: PersistentHistoryToken.Place {
    PersistentHistoryToken.Place(
      number: header.number, time: header.timestamp.timeIntervalSinceReferenceDate)
  }
}

/// What all changes of a transaction share.
package final class HistoryTransactionHeader: Sendable {
  let scope: StoreIdentity
  package let number: Int64
  let timestamp: Date
  let author: String?
  let contextName: String?
  let bundleID: String
  let processID: String

  package init(
    scope: StoreIdentity, number: Int64, timestamp: Date, author: String?, contextName: String?,
    bundleID: String, processID: String
  ) {
    self.scope = scope
    self.number = number
    self.timestamp = timestamp
    self.author = author
    self.contextName = contextName
    self.bundleID = bundleID
    self.processID = processID
  }
}
