import Foundation
import GraphStoreModel
import GraphStorePredicates

/// A request to the histories of stores: to read what has happened, or to remove what is not needed any more.
///
/// ```swift
/// try coordinator.enableHistoryTracking(of: archive)
/// var token = try coordinator.currentPersistentHistoryToken()
/// try context.save()
/// var request = PersistentHistoryChangeRequest.fetchHistory(after: token)
/// request.predicate = try QueryPredicate(parsing: "author != 'import'")
/// let history = try context.execute(request)
/// for transaction in history.transactions { print(transaction.timestamp, transaction.author ?? "-") }
/// token = history.token
/// ```
public struct PersistentHistoryChangeRequest: Sendable {
  /// The form of a result.
  public enum ResultType: Hashable, Sendable {
    /// Transactions with their changes.
    case transactionsAndChanges
    /// Transactions alone: their ``PersistentHistoryTransaction/changes`` are nil.
    case transactionsOnly
    /// Changes alone, which know their transactions.
    case changesOnly
    /// The identifiers of the changed records, each once, in the order of their first changes.
    case objectIDs
    /// The number of changes, or of the transactions that were removed.
    case count
    /// Whether there are any.
    case statusOnly
  }

  enum Place: Sendable {
    case beginning
    case token(PersistentHistoryToken)
    case date(Date)
  }

  let place: Place
  /// Whether what is before the place is removed; what is after it is read otherwise.
  let isDeletion: Bool

  /// The form of the result; by default ``ResultType/transactionsAndChanges``, of a removal the number.
  public var resultType: ResultType
  /// The stores; nil for all of the coordinator that keep a history.
  public var affectedStores: [PersistentStoreReference]?
  /// Which changes, or which transactions, are read; nil for all.
  ///
  /// A predicate over changes has keys of these: `changeType` (`insert`, `update`, `delete`), `changeID`,
  /// `changedEntity`, `changedObjectID`, `updatedProperties` (the names), `tombstone`, `transaction`. It may
  /// have keys of transactions as well, which alone make a predicate over transactions: `author`,
  /// `contextName`, `bundleID`, `processID`, `timestamp`, `transactionNumber`, `token`, `storeID`. It is
  /// evaluated while the history is read, so that what it leaves out takes no memory.
  public var predicate: QueryPredicate?
  /// The entity whose records are asked for, those of sub-entities among them; nil for all.
  public var changedEntity: EntityDescription?
  /// The record that is asked for; nil for all.
  public var changedObjectID: ManagedObjectID?
  /// The maximum number of transactions; 0 for any.
  public var fetchLimit = 0

  private init(_ place: Place, isDeletion: Bool) {
    self.place = place
    self.isDeletion = isDeletion
    resultType = isDeletion ? .count : .transactionsAndChanges
  }

  /// The request, going on after a token.
  package func continuing(after token: PersistentHistoryToken) -> PersistentHistoryChangeRequest {
    var next = PersistentHistoryChangeRequest.fetchHistory(after: token)
    (next.resultType, next.affectedStores, next.predicate) = (resultType, affectedStores, predicate)
    (next.changedEntity, next.changedObjectID) = (changedEntity, changedObjectID)
    next.fetchLimit = fetchLimit
    return next
  }

  /// Reads what came after a token; with nil everything that is kept.
  public static func fetchHistory(after token: PersistentHistoryToken?) -> PersistentHistoryChangeRequest {
    PersistentHistoryChangeRequest(token.map(Place.token) ?? .beginning, isDeletion: false)
  }

  /// Reads what came after a transaction of one store, and all of the other stores.
  public static func fetchHistory(
    after transaction: PersistentHistoryTransaction
  ) -> PersistentHistoryChangeRequest {
    fetchHistory(after: transaction.token)
  }

  /// Reads from the first transaction that is later than a time; what has been removed before is not missed.
  public static func fetchHistory(after date: Date) -> PersistentHistoryChangeRequest {
    PersistentHistoryChangeRequest(.date(date), isDeletion: false)
  }

  /// Reads what a predicate is true for: see ``predicate``.
  public static func fetchHistory(where predicate: QueryPredicate) -> PersistentHistoryChangeRequest {
    var request = fetchHistory(after: nil as PersistentHistoryToken?)
    request.predicate = predicate
    return request
  }

  /// Removes the transactions before that of a token, which stays.
  public static func deleteHistory(before token: PersistentHistoryToken) -> PersistentHistoryChangeRequest {
    PersistentHistoryChangeRequest(.token(token), isDeletion: true)
  }

  /// Removes the transactions before another one of the same store.
  public static func deleteHistory(
    before transaction: PersistentHistoryTransaction
  ) -> PersistentHistoryChangeRequest {
    deleteHistory(before: transaction.token)
  }

  /// Removes the transactions before a time.
  ///
  /// The first one that is not older, and all that follow it, stay, also where a clock that was put back has
  /// given them earlier times.
  public static func deleteHistory(before date: Date) -> PersistentHistoryChangeRequest {
    PersistentHistoryChangeRequest(.date(date), isDeletion: true)
  }
}

/// What a ``PersistentHistoryChangeRequest`` has found, in the form that it asked for.
///
/// ```swift
/// try coordinator.enableHistoryTracking(of: archive)
/// var request = PersistentHistoryChangeRequest.fetchHistory(after: nil)
/// request.resultType = .count
/// let result = try context.execute(request)
/// print(result.count, "changes up to", result.token)
/// ```
public struct PersistentHistoryResult: Sendable {
  /// The form.
  public let resultType: PersistentHistoryChangeRequest.ResultType
  /// The transactions, in the order of their commits; of several stores by their times. None in forms without
  /// transactions.
  public internal(set) var transactions: [PersistentHistoryTransaction] = []
  /// The changes, for ``PersistentHistoryChangeRequest/ResultType/changesOnly``.
  public internal(set) var changes: [PersistentHistoryChange] = []
  /// The identifiers, for ``PersistentHistoryChangeRequest/ResultType/objectIDs``.
  public internal(set) var objectIDs: [ManagedObjectID] = []
  /// The number of changes that were found, where the form has changes or is
  /// ``PersistentHistoryChangeRequest/ResultType/count``; of a removal that of the transactions.
  public internal(set) var count = 0
  /// Whether anything was found, or removed.
  public internal(set) var status = false
  /// The place up to which the histories were read, whether or not a predicate was true for what is there:
  /// where the next request goes on.
  public internal(set) var token: PersistentHistoryToken

  init(_ resultType: PersistentHistoryChangeRequest.ResultType) {
    self.resultType = resultType
    token = PersistentHistoryToken([:])
  }
}
