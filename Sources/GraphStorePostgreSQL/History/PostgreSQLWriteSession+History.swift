#if PostgreSQL
import Foundation
import GraphStore

/// Changing which history a store keeps.
extension PostgreSQLWriteSession: HistoryWriteSession {
  /// Waits for all other writers, who have looked whether there is a history.
  func beginHistory() throws {
    try lockHistory()
    guard history == nil else { return }
    let cursor = try run(store.history.begin, [])
    let last = try cursor.step() ? cursor.int64(at: 0) : 0
    if last > 0 { try noteNewBeginning(last) }
    setHistory(isKept: true)
  }

  func endHistory() throws {
    try lockHistory()
    guard history != nil else { return }
    _ = try reporting { try connection.run(store.history.end.map { .init($0) }) }
    setHistory(isKept: false)
  }

  /// Keeps a stamp of the number that the history has passed over, by which an older state of the store is
  /// known that takes its place and gives the number to a transaction.
  func noteNewBeginning(_ number: Int64) throws {
    try setHistoryConsumer(
      PostgreSQLHistoryTables.removal,
      PersistentHistoryToken.Place(number: number, time: Date().timeIntervalSinceReferenceDate))
  }

  func deleteHistory(through number: Int64) throws -> Int {
    guard keepsHistory else { return 0 }
    try noteRemoval(through: number)
    let results = try reporting {
      try connection.run([
        .init(store.history.removeChanges, [PostgreSQLParameter(number)]),
        .init(store.history.removeTransactions, [PostgreSQLParameter(number)]),
      ])
    }
    return results[1].changes
  }

  /// Keeps the stamp of the last transaction that is going to be removed.
  private func noteRemoval(through number: Int64) throws {
    let cursor = try run(store.history.lastThrough, [PostgreSQLParameter(number)])
    guard try cursor.step(), !cursor.isNull(at: 0) else { return }
    try setHistoryConsumer(
      PostgreSQLHistoryTables.removal, try historyPlace(after: cursor.int64(at: 0)))
  }

  func setHistoryConsumer(_ name: String, _ place: PersistentHistoryToken.Place?) throws {
    guard let place else {
      try run(store.history.removeReader, [PostgreSQLParameter(name)])
      return
    }
    try run(
      store.history.setReader,
      [
        PostgreSQLParameter(name), PostgreSQLParameter(place.number),
        place.stamp.map { PostgreSQLParameter(Int64($0)) }
          ?? PostgreSQLParameter(type: PostgreSQLTypeNumber.int8, bytes: nil),
      ])
  }
}
#endif
