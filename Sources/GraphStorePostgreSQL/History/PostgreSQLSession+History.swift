#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreModel

extension PostgreSQLReadSession: HistoryReadSession {}
extension PostgreSQLWriteSession: HistoryReadSession {}

/// Reading the history of a store.
extension PostgreSQLSession {
  final func historyBounds() throws -> HistoryBounds? {
    let cursor = try run(store.history.bounds, [])
    guard try cursor.step(), cursor.int64(at: 0) != 0 else { return nil }
    let newest = cursor.int64(at: 1)
    return HistoryBounds(
      oldest: cursor.isNull(at: 2) ? nil : cursor.int64(at: 2), newest: newest,
      place: cursor.historyPlace(number: newest, time: 3, stamp: 4))
  }

  final func historyPlace(after number: Int64) throws -> PersistentHistoryToken.Place {
    let cursor = try run(store.history.place, [PostgreSQLParameter(number)])
    guard try cursor.step() else { return PersistentHistoryToken.Place(number: number, stamp: nil) }
    return cursor.historyPlace(number: number, time: 0, stamp: 1)
  }

  final func historyNumber(before place: HistoryPlace) throws -> Int64 {
    switch place {
    case .beginning: return try historyBounds()?.start ?? 0
    case .transaction(let place): return place.number
    case .date(let date):
      let cursor = try run(
        store.history.numberBeforeTime, [PostgreSQLParameter(date.timeIntervalSinceReferenceDate)])
      return try cursor.step() ? cursor.int64(at: 0) : 0
    }
  }

  final func readHistory(
    _ query: HistoryQuery, _ receive: (PersistentHistoryTransaction) throws -> Bool
  ) throws {
    guard try historyBounds() != nil else { return }
    try reporting { try PostgreSQLHistoryReader(self).read(query, receive) }
  }

  final func historySize() throws -> HistorySize? {
    guard try historyBounds() != nil else { return nil }
    let cursor = try run(store.history.size, [])
    guard try cursor.step() else { return nil }
    return HistorySize(
      transactions: Int(cursor.int64(at: 0)), changes: Int(cursor.int64(at: 1)),
      bytes: Int(cursor.int64(at: 2)),
      oldest: cursor.isNull(at: 3) ? nil : Date(timeIntervalSinceReferenceDate: cursor.double(at: 3)))
  }

  final func historyConsumers() throws -> [HistoryConsumerRecord] {
    let cursor = try run(store.history.readers, [])
    var consumers: [HistoryConsumerRecord] = []
    while try cursor.step() {
      consumers.append(
        HistoryConsumerRecord(
          name: cursor.string(at: 0),
          place: PersistentHistoryToken.Place(number: cursor.int64(at: 1), stamp: cursor.stamp(at: 2)),
          date: Date(timeIntervalSinceReferenceDate: cursor.double(at: 3))))
    }
    return consumers
  }
}

extension PostgreSQLCursor {
  /// The place after a transaction, by its time where it is kept.
  fileprivate func historyPlace(number: Int64, time: Int, stamp: Int) -> PersistentHistoryToken.Place {
    isNull(at: time)
      ? PersistentHistoryToken.Place(number: number, stamp: self.stamp(at: stamp))
      : PersistentHistoryToken.Place(number: number, time: double(at: time))
  }

  fileprivate func stamp(at column: Int) -> UInt32? {
    isNull(at: column) ? nil : UInt32(truncatingIfNeeded: int64(at: column))
  }
}
#endif
