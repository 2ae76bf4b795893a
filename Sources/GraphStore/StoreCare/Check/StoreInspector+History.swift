import GraphStoreSQLite

extension StoreInspector {
  /// From how many changes on a history is large.
  static let largeHistory: Int64 = 1_000_000

  /// Whether the store keeps a history whose tables are known.
  var hasHistory: Bool {
    let tables = try? SQLiteLayout.readTableNames(connection)
    return (try? tables.flatMap { try SQLiteHistoryTables(connection, tables: $0) }) != nil
  }

  /// Changes of no transaction, and a history that has grown large.
  func history(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    let lost = try connection.int64(
      "SELECT count(*) FROM ACHANGE c WHERE NOT EXISTS (SELECT 1 FROM ATRANSACTION t WHERE t.Z_PK = c.ZTRANSACTIONID)"
    )
    if let lost, lost > 0 {
      findings.append(
        StoreCheckFinding(
          .history, name: name, subject: SQLiteHistoryTables.changes, count: Int(lost),
          message: "\(lost) change\(lost == 1 ? "" : "s") of no transaction, which nobody reads"))
    }
    let changes = try connection.int64("SELECT count(*) FROM ACHANGE") ?? 0
    if changes > Self.largeHistory {
      findings.append(
        StoreCheckFinding(
          .history, name: name, subject: SQLiteHistoryTables.changes, severity: .warning, count: Int(changes),
          message: "the history has \(changes) changes; what nobody needs any more can be purged"))
    }
    return findings
  }
}
