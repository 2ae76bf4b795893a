import Foundation
import GraphStoreSQLite

/// Changing which history a store keeps.
extension SQLiteWriteSession: HistoryWriteSession {
  func beginHistory() throws {
    guard try store.history(connection) == nil else { return }
    try reporting { try store.beginHistory(connection) }
    try renewChangedHistory()
  }

  func endHistory() throws {
    guard let tables = try store.history(connection)?.tables else { return }
    try reporting {
      // One that begins later passes over a number, if one was ever given.
      if try SQLiteLayout.historyNumber(.transaction, connection) == 0 {
        try SQLiteLayout.setHistoryNumber(.transaction, to: 1, connection)
      }
      for sql in tables.dropStatements { try connection.execute(sql) }
    }
    try renewChangedHistory()
  }

  /// In portions, so that as much memory is taken for many changes as for few.
  func deleteHistory(through number: Int64) throws -> Int {
    guard let tables = try store.history(connection)?.tables else { return 0 }
    return try reporting {
      try noteRemoval(through: number)
      let sql =
        "DELETE FROM ACHANGE WHERE Z_PK IN (SELECT Z_PK FROM ACHANGE WHERE ZTRANSACTIONID <= ?1 LIMIT 10000)"
      repeat {
        try run(sql, [.integer(number)]) { try $0.run() }
      } while connection.changes > 0
      try run("DELETE FROM ATRANSACTION WHERE Z_PK <= ?1", [.integer(number)]) { try $0.run() }
      let count = connection.changes
      if count > 0, let sql = tables.deleteUnusedStrings { try connection.execute(sql) }
      return count
    }
  }

  /// Keeps the stamp of the last transaction that is going to be removed.
  private func noteRemoval(through number: Int64) throws {
    let last = try connection.withStatement("SELECT max(Z_PK) FROM ATRANSACTION WHERE Z_PK <= ?1") {
      statement in
      try statement.bind(number, at: 1)
      return try statement.step() && !statement.isNull(at: 0) ? statement.int64(at: 0) : nil
    }
    if let last { try setHistoryConsumer(SQLiteHistoryTables.removal, try historyPlace(after: last)) }
  }

  func setHistoryConsumer(_ name: String, _ place: PersistentHistoryToken.Place?) throws {
    try reporting {
      guard let place else {
        guard try hasHistoryConsumers() else { return }
        return try run("DELETE FROM GSHISTORYCONSUMER WHERE NAME = ?1", [.text(name)]) { try $0.run() }
      }
      if try !hasHistoryConsumers() { try connection.execute(SQLiteHistoryTables.createConsumers) }
      try SQLiteLayout.setHistoryConsumer(name, place, at: Date(), connection)
    }
  }
}
