import Foundation
import GraphStoreSQLite

/// Writes the row of a transaction, and the texts that it refers to.
struct SQLiteHistoryTransaction {
  private let connection: SQLiteConnection
  private let tables: SQLiteHistoryTables

  init(_ connection: SQLiteConnection, _ tables: SQLiteHistoryTables) {
    self.connection = connection
    self.tables = tables
  }

  /// Adds the transaction of a save, under the next number.
  func insert(_ save: SaveRequest) throws -> CommitRecord.HistoryTransaction {
    let number = try SQLiteLayout.usableHistoryNumber(.transaction, connection) + 1
    let texts = SQLiteHistoryTables.Text.allCases
    let columns = texts.map { tables.hasStrings ? $0.keyColumn : $0.column }
    let sql =
      "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, \(columns.joined(separator: ", "))) "
      + "VALUES (?1, \(SQLiteHistoryTables.Entity.transaction.rawValue), ?2, ?3, ?4, ?5, ?6)"
    let values = try texts.map { text -> SQLBinding in
      guard let text = Self.value(of: text, save) else { return .null }
      return tables.hasStrings ? .integer(try key(of: text)) : .text(text)
    }
    // The save may have waited for others to end theirs.
    let time = Date().timeIntervalSinceReferenceDate
    try connection.withStatement(sql) { statement in
      try statement.bind(number, at: 1)
      try statement.bind(time, at: 2)
      for (place, value) in values.enumerated() { try statement.bind(value, at: place + 3) }
      try statement.run()
    }
    try SQLiteLayout.setHistoryNumber(.transaction, to: number, connection)
    return CommitRecord.HistoryTransaction(number: number, time: time)
  }

  private static func value(of text: SQLiteHistoryTables.Text, _ save: SaveRequest) -> String? {
    switch text {
    case .author: save.author
    case .bundleID: ProcessInfo.processInfo.processName
    case .contextName: save.contextName
    case .processID: String(ProcessInfo.processInfo.processIdentifier)
    }
  }

  /// The key of a text, which is written where the file does not have it.
  private func key(of text: String) throws -> Int64 {
    let known = try connection.withStatement("SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?1") {
      statement in
      try statement.bind(text, at: 1)
      return try statement.step() ? statement.int64(at: 0) : nil
    }
    if let known { return known }
    let next = try SQLiteLayout.usableHistoryNumber(.string, connection) + 1
    let sql =
      "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) "
      + "VALUES (?1, \(SQLiteHistoryTables.Entity.string.rawValue), ?2)"
    try connection.withStatement(sql) { statement in
      try statement.bind(next, at: 1)
      try statement.bind(text, at: 2)
      try statement.run()
    }
    try SQLiteLayout.setHistoryNumber(.string, to: next, connection)
    return next
  }
}
