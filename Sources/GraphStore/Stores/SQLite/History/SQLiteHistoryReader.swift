import Foundation
import GraphStoreModel
import GraphStoreSQLite

/// Reads transactions of a history, and beside them, by a second statement in the same order, their changes.
struct SQLiteHistoryReader {
  private let session: SQLiteSession
  private let history: SQLiteHistory
  private var connection: SQLiteConnection { session.connection }

  init(_ session: SQLiteSession, _ history: SQLiteHistory) {
    self.session = session
    self.history = history
  }

  func read(
    _ query: HistoryQuery, _ receive: (PersistentHistoryTransaction) throws -> Bool
  ) throws {
    let texts = SQLiteHistoryTables.Text.allCases.map(history.tables.expression)
    let sql =
      "SELECT t.Z_PK, t.ZTIMESTAMP, \(texts.joined(separator: ", ")) FROM ATRANSACTION t "
      + "WHERE t.Z_PK > ?1 ORDER BY t.Z_PK"
    try connection.withStatement(sql) { transactions in
      try transactions.bind(query.after, at: 1)
      guard query.readsChanges else {
        while try transactions.step() {
          let header = header(transactions)
          guard try receive(PersistentHistoryTransaction(header: header, changes: nil)) else { return }
        }
        return
      }
      try connection.withStatement(changeStatement(query)) { changes in
        try changes.bind(query.after, at: 1)
        if let key = query.key { try changes.bind(key, at: 2) }
        try read(transactions, changes, receive)
      }
    }
  }

  private func changeStatement(_ query: HistoryQuery) -> String {
    let tombstones = (0..<history.tables.tombstoneCount)
      .map { ", \(SQLiteHistoryTables.tombstoneColumn($0))" }.joined()
    var conditions = ["ZTRANSACTIONID > ?1"]
    if let entities = query.entities {
      let numbers = entities.sorted().map { "\(session.schema.entities[$0].number)" }
      conditions.append("ZENTITY IN (\(numbers.joined(separator: ", ")))")
    }
    if query.key != nil { conditions.append("ZENTITYPK = ?2") }
    return "SELECT ZTRANSACTIONID, Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS\(tombstones) FROM ACHANGE "
      + "WHERE \(conditions.joined(separator: " AND ")) ORDER BY ZTRANSACTIONID, Z_PK"
  }

  private func read(
    _ transactions: SQLiteStatement, _ changes: SQLiteStatement,
    _ receive: (PersistentHistoryTransaction) throws -> Bool
  ) throws {
    var isAtChange = try changes.step()
    while try transactions.step() {
      let header = header(transactions)
      var found: [PersistentHistoryChange] = []
      while isAtChange, changes.int64(at: 0) <= header.number {
        // Changes without their transaction, which nothing should leave behind, belong to none.
        if changes.int64(at: 0) == header.number, let change = change(changes, header) {
          found.append(change)
        }
        isAtChange = try changes.step()
      }
      guard try receive(PersistentHistoryTransaction(header: header, changes: found)) else { return }
    }
  }

  private func header(_ row: SQLiteStatement) -> HistoryTransactionHeader {
    let texts = SQLiteHistoryTables.Text.allCases.map { row.string(at: 2 + $0.rawValue) }
    return HistoryTransactionHeader(
      scope: session.scope, number: row.int64(at: 0),
      timestamp: Date(timeIntervalSinceReferenceDate: row.double(at: 1)),
      author: texts[SQLiteHistoryTables.Text.author.rawValue],
      contextName: texts[SQLiteHistoryTables.Text.contextName.rawValue],
      bundleID: texts[SQLiteHistoryTables.Text.bundleID.rawValue] ?? "",
      processID: texts[SQLiteHistoryTables.Text.processID.rawValue] ?? "")
  }

  /// The change of a row; nil for one of an entity that the model does not have, or of a kind that is not
  /// known.
  private func change(
    _ row: SQLiteStatement, _ header: HistoryTransactionHeader
  ) -> PersistentHistoryChange? {
    guard let type = PersistentHistoryChangeType(rawValue: Int(truncatingIfNeeded: row.int64(at: 2))),
      let entity = session.schema.entity(numbered: Int(truncatingIfNeeded: row.int64(at: 3)))?.entity.index
    else { return nil }
    let key = row.int64(at: 4)
    guard StoredKey.keys.contains(key) else { return nil }
    return PersistentHistoryChange(
      header, changeID: row.int64(at: 1), type,
      ManagedObjectID(scope: session.scope, entityIndex: entity, key: key),
      changed: type == .update && !row.isNull(at: 5)
        ? unsafe history.masks[entity].properties(in: row.blob(at: 5)) : PropertySet(),
      tombstone: type == .delete
        ? history.tombstones[entity].values(
          in: row, from: 6, count: history.tables.tombstoneCount, scope: session.scope) : nil)
  }
}
