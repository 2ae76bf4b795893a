import Foundation

/// A place in the history of one store.
enum HistoryPlace {
  /// Before all transactions that are kept.
  case beginning
  /// Right after a transaction.
  case transaction(PersistentHistoryToken.Place)
  /// Right before the first transaction that is later than a time; those that follow it belong to what comes
  /// after, whatever the clocks said.
  case date(Date)
}

/// The extent of a store's history.
struct HistoryBounds {
  /// The number of the oldest transaction that is kept; nil where there is none.
  let oldest: Int64?
  /// The greatest number that a transaction was given, kept or not; 0 at first.
  let newest: Int64
  /// The place after that transaction.
  let place: PersistentHistoryToken.Place

  /// The number after which everything is kept.
  var start: Int64 { (oldest ?? newest + 1) - 1 }

  /// Whether something is missing of what came after a transaction.
  func isMissing(after number: Int64) -> Bool { number > newest || number < start }
}

/// The cost of a store's history.
struct HistorySize {
  let transactions: Int
  let changes: Int
  /// The bytes of its tables and indexes; nil where the database cannot tell.
  let bytes: Int?
  /// The time of the oldest transaction.
  let oldest: Date?
}

/// A request to one store's history.
struct HistoryQuery {
  /// Transactions with greater numbers are read.
  var after: Int64
  /// Whether their changes are read too.
  var readsChanges: Bool
  /// The positions of the entities whose changes are read; nil for all.
  var entities: Set<Int>?
  /// The key of the record whose changes are read; nil for all.
  var key: Int64?
}

/// A way to read the history of a store.
protocol HistoryReadSession: ReadSession {
  /// The extent of the history; nil where the store keeps none.
  func historyBounds() throws -> HistoryBounds?
  /// The number of the last transaction before a place.
  func historyNumber(before place: HistoryPlace) throws -> Int64
  /// The place after a transaction; without a stamp where it is not kept.
  func historyPlace(after number: Int64) throws -> PersistentHistoryToken.Place
  /// Hands over transactions in the order of their numbers, with their changes where these are asked for,
  /// until the body returns false.
  func readHistory(
    _ query: HistoryQuery, _ receive: (PersistentHistoryTransaction) throws -> Bool
  ) throws
  func historySize() throws -> HistorySize?
  /// The names of those who read the history, with the number of the transaction up to which each has, and
  /// when it said so.
  func historyConsumers() throws -> [HistoryConsumerRecord]
}

/// A reader of a store's history, as the store has it.
struct HistoryConsumerRecord {
  let name: String
  let place: PersistentHistoryToken.Place
  let date: Date
}

/// A way to change which history a store keeps.
protocol HistoryWriteSession: WriteSession {
  /// Begins a history; nothing where there is one.
  func beginHistory() throws
  /// Removes the history, and records nothing from now on.
  func endHistory() throws
  /// Removes the transactions up to a number, with their changes.
  ///
  /// - Returns: How many transactions were removed.
  func deleteHistory(through number: Int64) throws -> Int
  /// Notes up to which transaction a reader has read; with nil the reader is forgotten.
  func setHistoryConsumer(_ name: String, _ place: PersistentHistoryToken.Place?) throws
}
