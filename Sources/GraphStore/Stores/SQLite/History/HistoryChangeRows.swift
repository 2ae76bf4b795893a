import GraphStoreSQLite

/// Rows of one transaction's changes, which are numbered as they come and written by a statement that takes
/// many.
struct HistoryChangeRows {
  private let connection: SQLiteConnection
  private let transaction: Int64
  /// The number of the last change.
  private(set) var last: Int64
  private var waiting: [Row] = []

  private struct Row {
    let type: PersistentHistoryChangeType
    let entity: Int64
    let key: Int64
    let mask: [UInt8]
  }

  /// As many as fit a statement that every build of SQLite takes.
  private static let rowLimit = 64
  private static let width = 5
  private static let fullStatement = statement(rows: rowLimit)

  init(_ connection: SQLiteConnection, transaction: Int64, after last: Int64) throws {
    self.connection = connection
    self.transaction = transaction
    self.last = last
    waiting.reserveCapacity(Self.rowLimit)
  }

  /// - Parameters:
  ///   - mask: The changed properties of an update; else empty.
  ///   - tombstone: The values that are kept of a deleted record, by column.
  mutating func add(
    _ type: PersistentHistoryChangeType, entity: Int64, key: Int64, mask: [UInt8] = [],
    tombstone: [SQLBinding] = []
  ) throws {
    if !tombstone.isEmpty { return try addDeleted(entity: entity, key: key, tombstone) }
    waiting.append(Row(type: type, entity: entity, key: key, mask: mask))
    if waiting.count == Self.rowLimit { try finish() }
  }

  /// Writes what waits.
  mutating func finish() throws {
    if waiting.isEmpty { return }
    let isFull = waiting.count == Self.rowLimit
    let sql = isFull ? Self.fullStatement : Self.statement(rows: waiting.count)
    try connection.withStatement(sql) { statement in
      try statement.bind(transaction, at: 1)
      var parameter = 2
      for row in waiting {
        last += 1
        try statement.bind(last, at: parameter)
        try statement.bind(Int64(row.type.rawValue), at: parameter + 1)
        try statement.bind(row.entity, at: parameter + 2)
        try statement.bind(row.key, at: parameter + 3)
        if row.type == .update {
          try unsafe row.mask.withUnsafeBytes {
            try unsafe statement.bind(blobCopying: $0, at: parameter + 4)
          }
        } else {
          try statement.bindNull(at: parameter + 4)
        }
        parameter += Self.width
      }
      try statement.run()
    }
    waiting.removeAll(keepingCapacity: true)
  }

  private static func statement(rows: Int) -> String {
    let change = SQLiteHistoryTables.Entity.change.rawValue
    let values = (0..<rows).map { row in
      let first = 2 + row * width
      return "(?\(first), \(change), ?\(first + 1), ?\(first + 2), ?\(first + 3), ?1, ?\(first + 4))"
    }
    return
      "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) VALUES "
      + values.joined(separator: ", ")
  }

  /// Records with values that are kept are written one by one.
  private mutating func addDeleted(entity: Int64, key: Int64, _ tombstone: [SQLBinding]) throws {
    try finish()
    last += 1
    let columns = tombstone.indices.map { ", \(SQLiteHistoryTables.tombstoneColumn($0))" }.joined()
    let parameters = tombstone.indices.map { ", ?\($0 + 5)" }.joined()
    let sql =
      "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID\(columns)) "
      + "VALUES (?1, \(SQLiteHistoryTables.Entity.change.rawValue), 2, ?2, ?3, ?4\(parameters))"
    try connection.withStatement(sql) { statement in
      try statement.bind(last, at: 1)
      try statement.bind(entity, at: 2)
      try statement.bind(key, at: 3)
      try statement.bind(transaction, at: 4)
      for (place, value) in tombstone.enumerated() { try statement.bind(value, at: place + 5) }
      try statement.run()
    }
  }
}
