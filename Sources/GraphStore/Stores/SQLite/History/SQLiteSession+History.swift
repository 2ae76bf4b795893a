import Foundation
import GraphStoreModel
import GraphStoreSQLite

extension SQLiteReadSession: HistoryReadSession {}
extension SQLiteWriteSession: HistoryReadSession {}

/// Reading the history of a store.
extension SQLiteSession {
  func historyBounds() throws -> HistoryBounds? {
    guard try store.history(connection) != nil else { return nil }
    return try reporting {
      let oldest = try connection.withStatement("SELECT min(Z_PK) FROM ATRANSACTION") {
        try $0.step() && !$0.isNull(at: 0) ? $0.int64(at: 0) : nil
      }
      let newest = try SQLiteLayout.historyNumber(.transaction, connection)
      return HistoryBounds(oldest: oldest, newest: newest, place: try historyPlace(after: newest))
    }
  }

  func historyPlace(after number: Int64) throws -> PersistentHistoryToken.Place {
    try reporting {
      try connection.withStatement("SELECT ZTIMESTAMP FROM ATRANSACTION WHERE Z_PK = ?1") { statement in
        try statement.bind(number, at: 1)
        return try statement.step()
          ? PersistentHistoryToken.Place(number: number, time: statement.double(at: 0))
          : PersistentHistoryToken.Place(number: number, stamp: removedStamp(of: number))
      }
    }
  }

  /// The stamp of the last transaction that was removed, if it has this number: whoever has read up to it can
  /// go on, and is to know an older state of the store that takes its place.
  private func removedStamp(of number: Int64) throws -> UInt32? {
    guard try hasHistoryConsumers() else { return nil }
    let sql = "SELECT STAMP FROM GSHISTORYCONSUMER WHERE NAME = ?1 AND TRANSACTIONID = ?2"
    return try connection.withStatement(sql) { statement in
      try statement.bind(SQLiteHistoryTables.removal, at: 1)
      try statement.bind(number, at: 2)
      guard try statement.step(), !statement.isNull(at: 0) else { return nil }
      return UInt32(truncatingIfNeeded: statement.int64(at: 0))
    }
  }

  func historyNumber(before place: HistoryPlace) throws -> Int64 {
    switch place {
    case .beginning: return try historyBounds()?.start ?? 0
    case .transaction(let place): return place.number
    case .date(let date):
      return try reporting {
        let first = try connection.withStatement(
          "SELECT min(Z_PK) FROM ATRANSACTION WHERE ZTIMESTAMP > ?1"
        ) { statement -> Int64? in
          try statement.bind(date.timeIntervalSinceReferenceDate, at: 1)
          return try statement.step() && !statement.isNull(at: 0) ? statement.int64(at: 0) : nil
        }
        return try first.map { $0 - 1 } ?? SQLiteLayout.historyNumber(.transaction, connection)
      }
    }
  }

  func readHistory(
    _ query: HistoryQuery, _ receive: (PersistentHistoryTransaction) throws -> Bool
  ) throws {
    guard let history = try store.history(connection) else { return }
    try reporting {
      try SQLiteHistoryReader(self, history).read(query, receive)
    }
  }

  func historySize() throws -> HistorySize? {
    guard try store.history(connection) != nil else { return nil }
    return try reporting {
      let oldest = try connection.withStatement("SELECT min(ZTIMESTAMP) FROM ATRANSACTION") {
        try $0.step() && !$0.isNull(at: 0) ? Date(timeIntervalSinceReferenceDate: $0.double(at: 0)) : nil
      }
      return HistorySize(
        transactions: Int(try connection.int64("SELECT count(*) FROM ATRANSACTION") ?? 0),
        changes: Int(try connection.int64("SELECT count(*) FROM ACHANGE") ?? 0),
        bytes: historyBytes(), oldest: oldest)
    }
  }

  /// The pages of the tables and their indexes; nil where SQLite was built without the table that lists them.
  private func historyBytes() -> Int? {
    let names = SQLiteHistoryTables.allTables.map { "'\($0)'" }.joined(separator: ", ")
    let sql =
      "SELECT sum(pgsize) FROM dbstat WHERE aggregate = TRUE AND name IN "
      + "(SELECT name FROM sqlite_schema WHERE tbl_name IN (\(names)))"
    return (try? connection.int64(sql)).flatMap { $0.map(Int.init) }
  }

  func historyConsumers() throws -> [HistoryConsumerRecord] {
    try reporting {
      guard try hasHistoryConsumers() else { return [] }
      return try connection.withStatement(
        "SELECT NAME, TRANSACTIONID, TIMESTAMP, STAMP FROM GSHISTORYCONSUMER WHERE NAME <> ?1 ORDER BY NAME"
      ) { row in
        try row.bind(SQLiteHistoryTables.removal, at: 1)
        var consumers: [HistoryConsumerRecord] = []
        while try row.step() {
          consumers.append(
            HistoryConsumerRecord(
              name: row.string(at: 0) ?? "",
              place: PersistentHistoryToken.Place(
                number: row.int64(at: 1),
                stamp: row.isNull(at: 3) ? nil : UInt32(truncatingIfNeeded: row.int64(at: 3))),
              date: Date(timeIntervalSinceReferenceDate: row.double(at: 2))))
        }
        return consumers
      }
    }
  }

  func hasHistoryConsumers() throws -> Bool {
    try SQLiteLayout.readTableNames(connection).contains(SQLiteHistoryTables.consumers)
  }
}
