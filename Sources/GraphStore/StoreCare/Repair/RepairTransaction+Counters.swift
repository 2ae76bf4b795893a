import GraphStoreModel
import GraphStoreSQLite

extension RepairTransaction {
  /// Brings counters to the greatest key of a row or in a reference: a new object must not become the
  /// destination of a reference to a deleted one.
  mutating func mendKeyCounters() throws {
    for table in schema.tables where inspector.isSound(table) {
      let number = table.root.namingNumber
      let present = try connection.int64("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)") ?? 0
      let greatest = try greatestKey(["SELECT Z_PK AS k FROM \(table.quotedName)"])
      guard greatest > present || present > StoredKey.keys.upperBound else { continue }
      let counter = max(greatest, try greatestKey(referringKeys(to: table)))
      try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(counter) WHERE Z_ENT = \(number)")
      note(
        "key counters", table.root.entity.name, count: connection.changes, "count on from the key \(counter)")
    }
  }

  /// The greatest key that a row can have among those of some queries; 0 where there is none.
  private func greatestKey(_ queries: [String]) throws -> Int64 {
    let keys = StoredKey.keys
    return try queries.map { query in
      try connection.int64(
        """
        WITH q(k) AS (\(query))
        SELECT max(k) FROM q WHERE typeof(k) = 'integer' AND k BETWEEN \(keys.lowerBound) AND \(keys.upperBound)
        """) ?? 0
    }.max() ?? 0
  }

  /// Sets the version of a new row in rows without one. No other process has the store open and would compare
  /// it with another one.
  mutating func mendRowVersions() throws {
    for table in schema.tables where inspector.isSound(table) {
      try update(
        table, check: "row versions", subject: table.root.entity.name, where: inspector.isWithoutVersion,
        set: ["Z_OPT = 1"]
      ) { "give \(Self.number($0, "row")) the version 1" }
    }
  }
}
