import Foundation
import OrderedCollections

extension ManagedObjectContext {
  /// Merges transactions of histories, by whatever process, as
  /// ``mergeChanges(fromContextDidSave:)-(Notification)`` does with a save.
  ///
  /// The rows are read anew, by a statement an entity tree for all transactions together; of a record that
  /// several have changed, what has become of it in the end is merged. Transactions without changes, which a
  /// request has not asked for, and those of stores that are not open are left out.
  ///
  /// ```swift
  /// try coordinator.enableHistoryTracking(of: archive)
  /// let history = try context.execute(.fetchHistory(after: nil))
  /// try context.mergeChanges(fromHistory: history.transactions)
  /// ```
  ///
  /// - Throws: as that, but for `invalid-request`.
  public func mergeChanges(fromHistory transactions: [PersistentHistoryTransaction]) throws {
    checkQueue()
    for (_, transactions) in OrderedDictionary(grouping: transactions, by: \.storeID) {
      let changes = SavedChanges(transactions, in: transactions[0].header.scope)
      if changes.isEmpty { continue }
      try mergeChanges(fromContextDidSave: changes)
    }
  }
}

extension PersistentHistoryTransaction {
  /// The changes, in the form that contexts merge: see
  /// ``ManagedObjectContext/mergeChanges(fromContextDidSave:)-(SavedChanges)``.
  ///
  /// It names nothing where the request did not ask for changes.
  public var savedChanges: SavedChanges { SavedChanges([self], in: header.scope) }

  /// A notification of the changes, which contexts merge: of the name
  /// ``ManagedObjectContext/didSaveObjectIDsNotification``, with identifiers, and of no context.
  public func objectIDNotification() -> Notification {
    let changes = savedChanges
    return Notification(
      name: ManagedObjectContext.didSaveObjectIDsNotification, object: HistoryNotification(self),
      userInfo: Notification.userInfo(of: [
        .insertedObjectIDs: changes.inserted, .updatedObjectIDs: changes.updated,
        .deletedObjectIDs: changes.deleted,
      ]))
  }
}

/// The sender of a notification of a transaction.
private final class HistoryNotification: Sendable {
  let transaction: PersistentHistoryTransaction

  init(_ transaction: PersistentHistoryTransaction) { self.transaction = transaction }
}

extension Notification {
  /// The transaction of a history that the notification tells of; nil for another one.
  var historyTransaction: PersistentHistoryTransaction? {
    (object as? HistoryNotification)?.transaction
  }
}

extension SavedChanges {
  fileprivate var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}
