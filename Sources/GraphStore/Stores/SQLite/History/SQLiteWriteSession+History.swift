import Foundation
import GraphStoreSQLite

/// Changing which history a store keeps.
extension SQLiteWriteSession: HistoryWriteSession {
  func beginHistory() throws {
    guard try store.history(connection) == nil else { return }
    try reporting { try store.beginHistory(connection) }
    try renewHistory()
  }

  func endHistory() throws {
    guard let tables = try store.history(connection)?.tables else { return }
    try reporting {
      for sql in tables.dropStatements { try connection.execute(sql) }
    }
    try renewHistory()
  }

  /// In portions, so that as much memory is taken for many changes as for few.
  func deleteHistory(through number: Int64) throws -> Int {
    guard try store.history(connection) != nil else { return 0 }
    return try reporting {
      let sql =
        "DELETE FROM ACHANGE WHERE Z_PK IN (SELECT Z_PK FROM ACHANGE WHERE ZTRANSACTIONID <= ?1 LIMIT 10000)"
      repeat {
        try run(sql, [.integer(number)]) { try $0.run() }
      } while connection.changes > 0
      try run("DELETE FROM ATRANSACTION WHERE Z_PK <= ?1", [.integer(number)]) { try $0.run() }
      return connection.changes
    }
  }

  func setHistoryConsumer(_ name: String, _ place: PersistentHistoryToken.Place?) throws {
    try reporting {
      guard let place else {
        guard try hasHistoryConsumers() else { return }
        return try run("DELETE FROM GSHISTORYCONSUMER WHERE NAME = ?1", [.text(name)]) { try $0.run() }
      }
      if try !hasHistoryConsumers() { try connection.execute(SQLiteHistoryTables.createConsumers) }
      try run(
        "INSERT OR REPLACE INTO GSHISTORYCONSUMER (NAME, TRANSACTIONID, TIMESTAMP, STAMP) VALUES (?1, ?2, ?3, ?4)",
        [
          .text(name), .integer(place.number), .double(Date().timeIntervalSinceReferenceDate),
          place.stamp.map { .integer(Int64($0)) } ?? .null,
        ]
      ) { try $0.run() }
    }
  }
}
