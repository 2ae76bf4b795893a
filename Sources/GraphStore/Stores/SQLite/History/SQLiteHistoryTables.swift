import Foundation
import GraphStoreSQLite

/// The tables of Core Data's persistent history in a file: transactions, changes, and the texts that
/// transactions refer to.
struct SQLiteHistoryTables: Hashable, Sendable {
  static let changes = "ACHANGE"
  static let transactions = "ATRANSACTION"
  static let strings = "ATRANSACTIONSTRING"
  /// The table of those who read the history, which Core Data has not.
  static let consumers = "GSHISTORYCONSUMER"

  /// The name in it of the row with the last transaction that was removed; no reader can have it.
  static let removal = ""

  /// The table of the attributes whose values are kept of deleted records, which Core Data has not.
  static let tombstoneLayout = "GSHISTORYTOMBSTONE"

  static let allTables = [changes, transactions, strings, consumers, tombstoneLayout]

  /// The numbers of the entities that have their counters in `Z_PRIMARYKEY`.
  enum Entity: Int64, CaseIterable {
    case change = 16001
    case transaction = 16002
    case string = 16003

    var name: String {
      switch self {
      case .change: "CHANGE"
      case .transaction: "TRANSACTION"
      case .string: "TRANSACTIONSTRING"
      }
    }

    var table: String { "A" + name }
  }

  /// The texts of a transaction, each with the name of its column; that of the key of a text adds `TS`.
  enum Text: Int, CaseIterable {
    case author
    case bundleID
    case contextName
    case processID

    var column: String {
      switch self {
      case .author: "ZAUTHOR"
      case .bundleID: "ZBUNDLEID"
      case .contextName: "ZCONTEXTNAME"
      case .processID: "ZPROCESSID"
      }
    }

    var keyColumn: String { column + "TS" }
  }

  /// Whether transactions refer to texts by their keys; older files have the texts themselves.
  let hasStrings: Bool
  /// The number of columns for values of deleted records.
  let tombstoneCount: Int

  private static let changeColumns = [
    "Z_PK", "Z_ENT", "Z_OPT", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS",
  ]
  private static let textColumns = Text.allCases.map(\.column)
  private static let keyColumns = Text.allCases.map(\.keyColumn)
  private static let stringColumns = ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME"]

  static func tombstoneColumn(_ place: Int) -> String { "ZTOMBSTONE\(place)" }

  /// The tables of a history that is yet to be made.
  init(tombstoneCount: Int) {
    hasStrings = true
    self.tombstoneCount = tombstoneCount
  }

  /// What the file has of a history.
  ///
  /// - Parameter tables: The names of all tables.
  /// - Returns: The tables; nil where the file has none of them.
  /// - Throws: ``Unknown`` for tables with other columns than those that are known, and where one is missing.
  init?(_ connection: SQLiteConnection, tables: Set<String>) throws {
    let missing = [Self.changes, Self.transactions].filter { !tables.contains($0) }
    if missing.count == 2 { return nil }
    if let table = missing.first { throw Unknown(table: table, isMissing: true) }
    let changes = try Self.columns(of: Self.changes, connection)
    let transactions = Set(try Self.columns(of: Self.transactions, connection))
    let tombstones = changes.count - Self.changeColumns.count
    guard tombstones >= 0,
      Set(changes) == Set(Self.changeColumns + (0..<tombstones).map(Self.tombstoneColumn))
    else { throw Unknown(table: Self.changes) }
    let plain = Set(["Z_PK", "Z_ENT", "Z_OPT", "ZTIMESTAMP", "ZQUERYGEN"] + Self.textColumns)
    let hasStrings = transactions.isSuperset(of: Self.keyColumns)
    guard transactions.union(["ZQUERYGEN"]).subtracting(Self.keyColumns) == plain,
      hasStrings || transactions.isDisjoint(with: Self.keyColumns)
    else { throw Unknown(table: Self.transactions) }
    if hasStrings {
      guard tables.contains(Self.strings),
        Set(try Self.columns(of: Self.strings, connection)) == Set(Self.stringColumns)
      else { throw Unknown(table: Self.strings) }
    }
    self.hasStrings = hasStrings
    tombstoneCount = tombstones
  }

  /// A table whose columns are not those that are known, or that is missing beside the other.
  struct Unknown: Error {
    let table: String
    /// Where one is missing, the other may be somebody's own, whoever has made the store.
    var isMissing = false

    /// What is wrong with it, as a relative clause about the history.
    var clause: String {
      "whose table \(table) " + (isMissing ? "is missing" : "has columns that are not known")
    }
  }

  private static func columns(of table: String, _ connection: SQLiteConnection) throws -> [String] {
    try connection.withStatement("SELECT * FROM \(table) LIMIT 0") { row in
      // Only a step makes a cached statement know columns that were added since.
      _ = try row.step()
      return (0..<row.columnCount).map(row.columnName(at:))
    }
  }

  /// The expression for a text of a transaction `t`.
  func expression(for text: Text) -> String {
    guard hasStrings else { return "t.\(text.column)" }
    return "coalesce((SELECT ZNAME FROM \(Self.strings) WHERE Z_PK = t.\(text.keyColumn)), t.\(text.column))"
  }

  // MARK: Making

  /// Makes the tables.
  ///
  /// - Parameter layout: Where values of deleted records are going to be kept.
  func create(_ connection: SQLiteConnection, keeping layout: TombstoneLayout) throws {
    for statement in createStatements { try connection.execute(statement) }
    if !layout.paths.isEmpty { try layout.write(connection) }
  }

  /// The statements that make the tables and their indexes.
  var createStatements: [String] {
    let tombstones = (0..<tombstoneCount).map { ", \(Self.tombstoneColumn($0)) BLOB" }.joined()
    return [
      "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, "
        + "ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB\(tombstones) )",
      "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, "
        + "ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, "
        + "ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
      "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
      "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
    ]
      + Text.allCases.map {
        "CREATE INDEX ATRANSACTION_\($0.keyColumn)_INDEX ON ATRANSACTION (\($0.keyColumn))"
      } + [
        "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
        "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
      ]
  }

  /// The statements that add columns for values of deleted records, up to a number.
  func statementsAddingTombstones(upTo count: Int) -> [String] {
    (tombstoneCount..<max(count, tombstoneCount)).map {
      "ALTER TABLE \(Self.changes) ADD COLUMN \(Self.tombstoneColumn($0)) BLOB"
    }
  }

  /// The statement that makes the table of those who read the history, where the file has none.
  static let createConsumers =
    "CREATE TABLE IF NOT EXISTS GSHISTORYCONSUMER (NAME VARCHAR PRIMARY KEY, TRANSACTIONID INTEGER, "
    + "TIMESTAMP FLOAT, STAMP INTEGER)"

  /// The statement that removes the texts to which no transaction refers: each process adds its number. Nil
  /// where transactions have their texts themselves.
  var deleteUnusedStrings: String? {
    guard hasStrings else { return nil }
    let uses = Text.allCases.map {
      "NOT EXISTS (SELECT 1 FROM ATRANSACTION WHERE \($0.keyColumn) = ATRANSACTIONSTRING.Z_PK)"
    }
    return "DELETE FROM ATRANSACTIONSTRING WHERE " + uses.joined(separator: " AND ")
  }

  /// The statements that remove the tables.
  var dropStatements: [String] {
    Self.allTables.map { "DROP TABLE IF EXISTS \($0)" }
  }
}

extension SQLiteLayout {
  /// The greatest number that an entity of the history has given; 0 where it has given none. A counter that
  /// is behind its rows does not count.
  static func historyNumber(
    _ entity: SQLiteHistoryTables.Entity, _ connection: SQLiteConnection
  ) throws -> Int64 {
    let sql =
      "SELECT coalesce((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?1), 0), "
      + "coalesce((SELECT max(Z_PK) FROM \(entity.table)), 0)"
    return try connection.withStatement(sql) { statement in
      try statement.bind(entity.rawValue, at: 1)
      return try statement.step() ? max(statement.int64(at: 0), statement.int64(at: 1)) : 0
    }
  }

  /// As ``historyNumber(_:_:)``, of an entity that is to give more.
  ///
  /// - Throws: `store-corrupt` where so many are given that no store can have come to it.
  static func usableHistoryNumber(
    _ entity: SQLiteHistoryTables.Entity, _ connection: SQLiteConnection
  ) throws -> Int64 {
    let number = try historyNumber(entity, connection)
    guard number > Int64.max / 2 else { return max(number, 0) }
    throw GraphStoreError(
      .storeCorrupt, "The history of the store has no usable counter in \(entity.table): \(number).",
      remedy: "Check the store, and restore a backup.")
  }

  /// Whether the library has ever given a number to a transaction in the file: tables that are named as those
  /// of a history are no others' then.
  static func hasCountedTransactions(_ connection: SQLiteConnection) throws -> Bool {
    try connection.withStatement("SELECT 1 FROM Z_PRIMARYKEY WHERE Z_ENT = ?1 AND Z_NAME = ?2") { statement in
      try statement.bind(SQLiteHistoryTables.Entity.transaction.rawValue, at: 1)
      try statement.bind(SQLiteHistoryTables.Entity.transaction.name, at: 2)
      return try statement.step()
    }
  }

  /// Sets the greatest number that an entity of the history has given.
  static func setHistoryNumber(
    _ entity: SQLiteHistoryTables.Entity, to number: Int64, _ connection: SQLiteConnection
  ) throws {
    let sql =
      "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, 0, ?3) "
      + "ON CONFLICT (Z_ENT) DO UPDATE SET Z_MAX = ?3"
    try connection.withStatement(sql) { statement in
      try statement.bind(entity.rawValue, at: 1)
      try statement.bind(entity.name, at: 2)
      try statement.bind(number, at: 3)
      try statement.run()
    }
  }

  /// Removes what a history has, and passes over one number of a transaction: what was read of it has
  /// expired, also where it had no transaction yet.
  static func beginHistoryAnew(_ connection: SQLiteConnection) throws {
    try setHistoryNumber(.change, to: try historyNumber(.change, connection), connection)
    try setHistoryNumber(.transaction, to: try usableHistoryNumber(.transaction, connection) + 1, connection)
    try connection.execute("DELETE FROM ACHANGE; DELETE FROM ATRANSACTION")
    try noteNewBeginning(connection)
  }

  /// Keeps a stamp of the number that a history has passed over, by which an older state of the store is
  /// known that takes its place and gives the number to a transaction.
  static func noteNewBeginning(_ connection: SQLiteConnection) throws {
    let now = Date()
    let place = PersistentHistoryToken.Place(
      number: try historyNumber(.transaction, connection), time: now.timeIntervalSinceReferenceDate)
    try connection.execute(SQLiteHistoryTables.createConsumers)
    try setHistoryConsumer(SQLiteHistoryTables.removal, place, at: now, connection)
  }

  /// Notes up to where a reader has read the history, whose table is there.
  static func setHistoryConsumer(
    _ name: String, _ place: PersistentHistoryToken.Place, at time: Date, _ connection: SQLiteConnection
  ) throws {
    let sql =
      "INSERT OR REPLACE INTO GSHISTORYCONSUMER (NAME, TRANSACTIONID, TIMESTAMP, STAMP) VALUES (?1, ?2, ?3, ?4)"
    try connection.withStatement(sql) { statement in
      try statement.bind(name, at: 1)
      try statement.bind(place.number, at: 2)
      try statement.bind(time.timeIntervalSinceReferenceDate, at: 3)
      if let stamp = place.stamp {
        try statement.bind(Int64(stamp), at: 4)
      } else {
        try statement.bindNull(at: 4)
      }
      try statement.run()
    }
  }
}
