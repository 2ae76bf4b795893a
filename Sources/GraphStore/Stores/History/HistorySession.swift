import Foundation

/// A place in the history of one store.
package enum HistoryPlace {
  /// Before all transactions that are kept.
  case beginning
  /// Right after a transaction.
  case transaction(PersistentHistoryToken.Place)
  /// Right before the first transaction that is later than a time; those that follow it belong to what comes
  /// after, whatever the clocks said.
  case date(Date)
}

/// The extent of a store's history.
package struct HistoryBounds {
  /// The number of the oldest transaction that is kept; nil where there is none.
  package let oldest: Int64?
  /// The greatest number that a transaction was given, kept or not; 0 at first.
  package let newest: Int64
  /// The place after that transaction.
  package let place: PersistentHistoryToken.Place

  package init(oldest: Int64?, newest: Int64, place: PersistentHistoryToken.Place) {
    self.oldest = oldest
    self.newest = newest
    self.place = place
  }

  /// The number after which everything is kept.
  package var start: Int64 { (oldest ?? newest + 1) - 1 }

  /// Whether something is missing of what came after a transaction.
  package func isMissing(after number: Int64) -> Bool { number > newest || number < start }
}

/// The cost of a store's history.
package struct HistorySize {
  package let transactions: Int
  package let changes: Int
  /// The bytes of its tables and indexes; nil where the database cannot tell.
  package let bytes: Int?
  /// The time of the oldest transaction.
  package let oldest: Date?

  package init(transactions: Int, changes: Int, bytes: Int?, oldest: Date?) {
    self.transactions = transactions
    self.changes = changes
    self.bytes = bytes
    self.oldest = oldest
  }
}

/// A request to one store's history.
package struct HistoryQuery {
  /// Transactions with greater numbers are read.
  package var after: Int64
  /// Whether their changes are read too.
  package var readsChanges: Bool
  /// The positions of the entities whose changes are read; nil for all.
  package var entities: Set<Int>?
  /// The key of the record whose changes are read; nil for all.
  package var key: Int64?
}

/// A way to read the history of a store.
package protocol HistoryReadSession: ReadSession {
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
package struct HistoryConsumerRecord {
  package let name: String
  package let place: PersistentHistoryToken.Place
  package let date: Date

  package init(name: String, place: PersistentHistoryToken.Place, date: Date) {
    self.name = name
    self.place = place
    self.date = date
  }
}

/// A way to change which history a store keeps.
package protocol HistoryWriteSession: WriteSession {
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

extension GraphStoreError {
  /// The refusal to open a store without the history that it keeps.
  package static func tracksHistory(_ path: String) -> GraphStoreError {
    GraphStoreError(
      .historyIsTracked,
      "\(path) keeps a history of its changes, from which those made without it would be missing.",
      remedy:
        "Leave the option historyTracking out, or end the history first with disableHistoryTracking, which removes "
        + "it.")
  }
}
