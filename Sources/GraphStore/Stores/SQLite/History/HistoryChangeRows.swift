import GraphStoreSQLite

/// Rows of one transaction's changes, which are numbered as they come.
///
/// Changes of one kind to records whose keys follow each other are copied from the records' own table by one
/// statement; others are written by a statement that takes many.
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

  /// So many records are worth a statement of their own.
  private static let shortestCopiedRun = 16
  /// As many as fit a statement that every build of SQLite takes.
  private static let rowLimit = 64
  private static let width = 5
  private static let fullStatement = statement(rows: rowLimit)

  init(_ connection: SQLiteConnection, transaction: Int64, after last: Int64) {
    self.connection = connection
    self.transaction = transaction
    self.last = last
    waiting.reserveCapacity(Self.rowLimit)
  }

  /// Adds changes of one kind to records of one entity, which are there, and whose keys follow each other.
  ///
  /// - Parameter mask: The changed properties of updates; else empty.
  mutating func add(
    _ type: PersistentHistoryChangeType, _ entity: SQLEntity, keys: Range<Int64>, mask: [UInt8]
  ) throws {
    // The first has its number from here, so that the others follow it.
    let copied = keys.count < Self.shortestCopiedRun ? 0 : keys.count - 1
    for key in keys.prefix(keys.count - copied) {
      try wait(Row(type: type, entity: Int64(entity.number), key: key, mask: mask))
    }
    if copied > 0 { try copy(type, entity, keys.dropFirst(), mask) }
  }

  /// Adds the deletion of a record.
  ///
  /// - Parameter tombstone: The values that are kept of it, by column; it is written by itself where there
  ///   are any.
  mutating func addDeleted(entity: Int64, key: Int64, tombstone: [SQLBinding]) throws {
    guard tombstone.isEmpty else { return try writeDeleted(entity: entity, key: key, tombstone) }
    try wait(Row(type: .delete, entity: entity, key: key, mask: []))
  }

  // MARK: Copied rows

  /// Copies changes from the table of the records, without a look at where each row belongs: SQLite numbers
  /// them behind the last one.
  private mutating func copy(
    _ type: PersistentHistoryChangeType, _ entity: SQLEntity, _ keys: Range<Int64>, _ mask: [UInt8]
  ) throws {
    try finish()
    let sql =
      "INSERT INTO ACHANGE (Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) "
      + "SELECT \(SQLiteHistoryTables.Entity.change.rawValue), ?1, Z_ENT, Z_PK, ?2, ?3 "
      + "FROM \(entity.table.quotedName) WHERE Z_PK BETWEEN ?4 AND ?5 ORDER BY Z_PK"
    try connection.withStatement(sql) { statement in
      try statement.bind(Int64(type.rawValue), at: 1)
      try statement.bind(transaction, at: 2)
      if type == .update { try statement.bind(mask, at: 3) } else { try statement.bindNull(at: 3) }
      try statement.bind(keys.lowerBound, at: 4)
      try statement.bind(keys.upperBound - 1, at: 5)
      try statement.run()
    }
    last += Int64(keys.count)
    guard connection.lastInsertRowID == last, connection.changes == keys.count else {
      throw GraphStoreError(
        .internalInconsistency, "A history was numbered otherwise than its changes.",
        remedy: "Nothing was written; this is a defect of the library, please report it.")
    }
  }

  // MARK: Single rows

  private mutating func wait(_ row: Row) throws {
    waiting.append(row)
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
          try statement.bind(row.mask, at: parameter + 4)
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

  private mutating func writeDeleted(entity: Int64, key: Int64, _ tombstone: [SQLBinding]) throws {
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

extension SQLiteStatement {
  fileprivate func bind(_ bytes: [UInt8], at parameter: Int) throws {
    try bind(SQLBinding.blob(bytes), at: parameter)
  }
}
