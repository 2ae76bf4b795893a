#if PostgreSQL
import GraphStore
import Synchronization

extension PostgreSQLStore {
  func hasWritten(transaction number: Int64) -> Bool { ownTransactions.withLock { $0.contains(number) } }

  /// Runs a commit with the transactions of the history known as the store's own before anybody can see them.
  func naming(ownTransactions numbers: [Int64], _ commit: () throws -> Void) throws {
    guard let first = numbers.first else { return try commit() }
    ownTransactions.withLock { own in
      // Where an older state of the database has taken its place, numbers are given again.
      own.remove(from: first)
      for number in numbers { own.append(number) }
    }
    do { try commit() } catch {
      // Another process is going to give these numbers, or has to be looked at as one.
      ownTransactions.withLock { $0.remove(from: first) }
      throw error
    }
  }

  /// Begins a history where one is wanted and the store has none.
  func prepareHistory(isKept: Bool) throws {
    guard options.historyTracking == true, !isKept, !isReadOnly else { return }
    try write { try ($0 as? any HistoryWriteSession)?.beginHistory() }
  }
}
#endif
