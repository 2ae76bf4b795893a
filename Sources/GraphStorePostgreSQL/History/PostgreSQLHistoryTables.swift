#if PostgreSQL
import Foundation
import GraphStore

/// The tables of a store's history, and the statements over them.
///
/// Every store has them, also one that keeps no history, so that none appears or goes while others look. The
/// counter of transactions is one row, which a save that is recorded raises as its last step. The lock of
/// that row lasts until the commit: numbers are those of the order of commits, without gaps, and who has seen
/// a number has seen all before it.
struct PostgreSQLHistoryTables: Sendable {
  /// The name among the readers of the last transaction that was removed; no reader can have it.
  static let removal = ""

  private let state: String
  private let transactions: String
  private let changes: String
  private let consumers: String
  private let timeIndex: String

  private enum Name {
    static let state = ReadableNaming.reservedPrefix + "history"
    static let transactions = ReadableNaming.reservedPrefix + "transactions"
    static let changes = ReadableNaming.reservedPrefix + "changes"
    static let consumers = ReadableNaming.reservedPrefix + "history_readers"
  }

  /// The names of the tables.
  static let names = [Name.state, Name.transactions, Name.changes, Name.consumers]

  init(_ dialect: PostgreSQLDialect) {
    state = dialect.tableName(Name.state)
    transactions = dialect.tableName(Name.transactions)
    changes = dialect.tableName(Name.changes)
    consumers = dialect.tableName(Name.consumers)
    timeIndex = dialect.name(Name.transactions + "_time")
  }

  // MARK: Making

  /// The statements that make the tables, and describe them.
  func creating(isKept: Bool) -> [String] {
    [
      "CREATE TABLE \(state) (is_kept boolean NOT NULL, last_transaction bigint NOT NULL, "
        + "last_change bigint NOT NULL)",
      "INSERT INTO \(state) VALUES (\(isKept ? "TRUE" : "FALSE"), 0, 0)",
      "COMMENT ON TABLE \(state) IS 'Whether changes are recorded, and the last numbers that were given'",
      "CREATE TABLE \(transactions) (number bigint PRIMARY KEY, \"time\" double precision NOT NULL, "
        + "author text, context text, program text NOT NULL, process text NOT NULL)",
      "CREATE INDEX \(timeIndex) ON \(transactions) (\"time\")",
      "COMMENT ON TABLE \(transactions) IS 'Who has changed something, and when: in seconds since 2001'",
      "CREATE TABLE \(changes) (transaction bigint NOT NULL, number bigint NOT NULL, kind text NOT NULL, "
        + "entity integer NOT NULL, object bigint NOT NULL, properties text[], tombstone json, "
        + "PRIMARY KEY (transaction, number))",
      "COMMENT ON TABLE \(changes) IS 'What transactions have changed'",
      "CREATE TABLE \(consumers) (name text COLLATE \"C\" PRIMARY KEY, transaction bigint NOT NULL, "
        + "stamp bigint, \"time\" double precision NOT NULL)",
      "COMMENT ON TABLE \(consumers) IS 'Up to which transaction each reader has read'",
    ]
  }

  // MARK: Keeping a history

  var isKept: String { isKept(with: []) }

  /// Whether a history is kept, with some expressions.
  func isKept(with expressions: [String]) -> String {
    "SELECT \((["is_kept"] + expressions).joined(separator: ", ")) FROM \(state)"
  }

  /// Begins to keep a history, and returns the last number: one is passed over where one was given.
  var begin: String {
    "UPDATE \(state) SET is_kept = TRUE, last_transaction = last_transaction "
      + "+ CASE WHEN last_transaction > 0 THEN 1 ELSE 0 END RETURNING last_transaction"
  }

  /// Ends it; one that begins later passes over a number.
  var end: [String] {
    ["UPDATE \(state) SET is_kept = FALSE, last_transaction = greatest(last_transaction, 1)"]
      + [changes, transactions, consumers].map { "DELETE FROM \($0)" }
  }

  // MARK: Recording

  /// Seconds since 2001 by the server's clock.
  private static let now = "(extract(epoch FROM clock_timestamp()) - 978307200)::double precision"

  /// Adds a transaction under the next number, and returns that and the time: the parameters are the number
  /// of its changes, author, context, program and process.
  var addTransaction: String {
    "WITH counted AS (UPDATE \(state) SET last_transaction = last_transaction + 1, "
      + "last_change = last_change + $1 WHERE is_kept RETURNING last_transaction, \(Self.now) AS moment) "
      + "INSERT INTO \(transactions) (number, \"time\", author, context, program, process) "
      + "SELECT last_transaction, moment, $2, $3, $4, $5 FROM counted RETURNING number, \"time\""
  }

  /// Adds changes to the transaction that was added last: the parameters are how many there are from the
  /// first of these on, and by runs of keys the kind, the entity's number, the first key and the last one,
  /// the changed properties and the values that are kept.
  var addChanges: String {
    "INSERT INTO \(changes) (transaction, number, kind, entity, object, properties, tombstone) "
      + "SELECT (SELECT last_transaction FROM \(state)), "
      + "(SELECT last_change FROM \(state)) - $1 + row_number() OVER (ORDER BY run.line, object.key), "
      + "run.kind, run.entity, object.key, run.properties::text[], run.tombstone::json "
      + "FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[]) WITH ORDINALITY "
      + "AS run(kind, entity, first, last, properties, tombstone, line), "
      + "generate_series(run.first, run.last) AS object(key)"
  }

  // MARK: Taking over

  /// The statements that go on with the numbers of another store's history, which is kept, and with its
  /// readers.
  func continuing(_ other: PostgreSQLHistoryTables, skipping skipped: Int) -> [String] {
    [
      "UPDATE \(state) SET is_kept = TRUE, last_transaction = former.last_transaction + \(skipped), "
        + "last_change = former.last_change FROM \(other.state) AS former",
      "INSERT INTO \(consumers) SELECT * FROM \(other.consumers)",
    ]
  }

  /// The statement that takes over all transactions of another store.
  func copyTransactions(of other: PostgreSQLHistoryTables) -> String {
    "INSERT INTO \(transactions) SELECT * FROM \(other.transactions)"
  }

  /// The statement that takes over changes of another store's objects whose entities are still there.
  ///
  /// - Parameter entities: Rows of the old number, the new one, and the new names of properties by the old
  /// ones as JSON.
  func copyChanges(of other: PostgreSQLHistoryTables, _ entities: String) -> String {
    "INSERT INTO \(changes) (transaction, number, kind, entity, object, properties, tombstone) "
      + "SELECT transaction, number, kind, map.new, object, \(Self.properties), \(Self.tombstone) "
      + "FROM \(other.changes) JOIN (VALUES \(entities)) AS map(old, new, names) ON entity = map.old"
  }

  /// The statement that gives the properties of changes their new names.
  ///
  /// - Parameter entities: As for the copy of changes.
  func renameProperties(_ entities: String) -> String {
    "UPDATE \(changes) SET properties = \(Self.properties), tombstone = \(Self.tombstone) "
      + "FROM (VALUES \(entities)) AS map(old, new, names) "
      + "WHERE entity = map.old AND (properties IS NOT NULL OR tombstone IS NOT NULL)"
  }

  /// The statement that removes the changes of all entities but those of some numbers.
  func removeChanges(butOf entities: [Int]) -> String {
    let numbers = entities.isEmpty ? "0" : entities.map(String.init).joined(separator: ", ")
    return "DELETE FROM \(changes) WHERE entity NOT IN (\(numbers))"
  }

  private static let properties =
    "(SELECT array_agg(map.names ->> name ORDER BY place) FROM unnest(properties) WITH ORDINALITY "
    + "AS property(name, place) WHERE map.names ->> name IS NOT NULL)"
  private static let tombstone =
    "(SELECT json_object_agg(map.names ->> key, value) FROM json_each(tombstone) "
    + "WHERE map.names ->> key IS NOT NULL)"

  /// Adds a transaction that has no changes, by which whoever follows the history learns of a migration.
  var addingMigration: PostgreSQLConnection.Command {
    let process = ProcessInfo.processInfo
    return PostgreSQLConnection.Command(
      addTransaction,
      [
        PostgreSQLParameter(Int64(0)), PostgreSQLParameter(optional: "graphstore.migration"),
        PostgreSQLParameter(optional: nil), PostgreSQLParameter(process.processName),
        PostgreSQLParameter(String(process.processIdentifier)),
      ])
  }

  // MARK: Reading

  /// Whether a history is kept, its last number, the oldest that is kept, and of the last one the time, or
  /// the stamp if it was removed.
  var bounds: String {
    "SELECT is_kept, last_transaction, (SELECT min(number) FROM \(transactions)), "
      + "(SELECT \"time\" FROM \(transactions) WHERE number = last_transaction), "
      + "(\(stamp) AND transaction = last_transaction) FROM \(state)"
  }

  private var stamp: String { "SELECT stamp FROM \(consumers) WHERE name = '\(Self.removal)'" }

  /// The time of a transaction, and the stamp of the one that was removed last, if it has this number.
  var place: String {
    "SELECT (SELECT \"time\" FROM \(transactions) WHERE number = $1), (\(stamp) AND transaction = $1)"
  }

  /// The number before that of the first transaction that is later than a time.
  var numberBeforeTime: String {
    "SELECT coalesce((SELECT min(number) - 1 FROM \(transactions) WHERE \"time\" > $1), last_transaction) "
      + "FROM \(state)"
  }

  /// The transactions after a number, so many at most.
  var transactionsAfter: String {
    "SELECT number, \"time\", author, context, program, process FROM \(transactions) WHERE number > $1 "
      + "ORDER BY number LIMIT $2"
  }

  /// The changes of the transactions after a number up to another one, in their order.
  ///
  /// - Parameters:
  ///   - ofEntities: Whether the next parameter is a list of the numbers of entities.
  ///   - ofObject: Whether the last parameter is a key.
  func changes(ofEntities: Bool, ofObject: Bool) -> String {
    var conditions = ["transaction > $1", "transaction <= $2"]
    if ofEntities { conditions.append("entity = ANY($3::bigint[])") }
    if ofObject { conditions.append("object = $\(ofEntities ? 4 : 3)") }
    return "SELECT transaction, number, kind, entity, object, properties, tombstone FROM \(changes) "
      + "WHERE \(conditions.joined(separator: " AND ")) ORDER BY transaction, number"
  }

  /// The numbers of transactions and changes, the bytes of the tables, and the time of the oldest
  /// transaction.
  var size: String {
    let bytes = [transactions, changes, consumers].map {
      "pg_total_relation_size(\(PostgreSQLName.literal($0))::regclass)"
    }
    return "SELECT (SELECT count(*) FROM \(transactions)), (SELECT count(*) FROM \(changes)), "
      + "\(bytes.joined(separator: " + ")), (SELECT min(\"time\") FROM \(transactions))"
  }

  /// What is another value once a transaction of the store has been committed: the last number of the
  /// history; where none is kept, which transactions of the server have ended.
  var progress: String {
    "SELECT CASE WHEN is_kept THEN last_transaction::text ELSE pg_current_snapshot()::text END FROM \(state)"
  }

  // MARK: Removing

  var lastThrough: String { "SELECT max(number) FROM \(transactions) WHERE number <= $1" }
  var removeChanges: String { "DELETE FROM \(changes) WHERE transaction <= $1" }
  var removeTransactions: String { "DELETE FROM \(transactions) WHERE number <= $1" }

  // MARK: Readers

  var readers: String {
    "SELECT name, transaction, stamp, \"time\" FROM \(consumers) WHERE name <> '\(Self.removal)' ORDER BY name"
  }

  var setReader: String {
    "INSERT INTO \(consumers) (name, transaction, stamp, \"time\") VALUES ($1, $2, $3, \(Self.now)) "
      + "ON CONFLICT (name) DO UPDATE SET transaction = excluded.transaction, stamp = excluded.stamp, "
      + "\"time\" = excluded.\"time\""
  }

  var removeReader: String { "DELETE FROM \(consumers) WHERE name = $1" }
}
#endif
