#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreModel
import GraphStorePredicates

/// The texts of the statements that a store on a server has beside ``SQLStatements``: those whose parameters
/// are arrays, one for each column of many rows, and those over what is no entity's.
struct PostgreSQLTables: Sendable {
  /// The table of the store's metadata, which is there in every store.
  static let metadataTable = ReadableNaming.reservedPrefix + "metadata"

  let schema: SQLSchema
  let dialect: PostgreSQLDialect
  /// The number of the table with the metadata, read from the table itself; no row where there is none.
  let identity: String

  init(schema: SQLSchema, dialect: PostgreSQLDialect) {
    self.schema = schema
    self.dialect = dialect
    identity = "SELECT tableoid::bigint FROM \(dialect.tableName(Self.metadataTable))"
  }

  private var system: SQLSystemColumns { schema.systemColumns }
  private var counter: SQLKeyCounter { schema.keyCounter }
  private func name(_ name: String) -> String { dialect.name(name) }
  private func table(_ name: String) -> String { dialect.tableName(name) }

  /// A list of the elements of the parameter of a number.
  private func array(_ number: Int, _ type: UInt32 = PostgreSQLTypeNumber.int8) -> String {
    "$\(number)::\(PostgreSQLTypeNumber.name(type))[]"
  }

  /// A list of one element, the parameter of a number.
  private func element(_ number: Int, _ type: UInt32) -> String {
    "ARRAY[$\(number)::\(PostgreSQLTypeNumber.name(type))]"
  }

  // MARK: Rows

  /// Inserts rows of an entity: the first parameter has their keys, and each other one a column.
  func insert(_ entity: SQLEntity, _ columns: [SQLColumn]) -> String {
    let names = system.all + columns.map(\.name)
    let arrays =
      [array(1)]
      + columns.enumerated().map { array($0 + 2, PostgreSQLColumnWriter.elementType($1.kind)) }
    let values = (["c0"] + columns.indices.map { "c\($0 + 1)" })
    let selected = ["c0", "\(entity.number)", "1"] + values.dropFirst()
    return "INSERT INTO \(table(entity.table.name)) (\(names.map(name).joined(separator: ", "))) "
      + "SELECT \(selected.joined(separator: ", ")) FROM unnest(\(arrays.joined(separator: ", "))) "
      + "AS given(\(values.joined(separator: ", ")))"
  }

  /// Takes rows of an entity in the binary form: their system columns, and others.
  func copy(_ entity: SQLEntity, _ columns: [SQLColumn]) -> String {
    let names = system.all + columns.map(\.name)
    return "COPY \(table(entity.table.name)) (\(names.map(name).joined(separator: ", "))) "
      + "FROM STDIN (FORMAT binary)"
  }

  /// Writes columns of rows, which have the keys of the first parameter and the versions of the second, and
  /// raises their versions. A to-one whose inverse is ordered loses its place in that.
  ///
  /// - Parameter isOfOne: Whether the parameters are the values of one row instead of arrays: of how many
  ///   elements an array has a plan for any says nothing, so that the server would make one each time.
  func update(
    _ entity: SQLEntity, _ columns: [SQLColumn], isOfOne: Bool, returningKeys: Bool
  ) -> String {
    let version = name(system.version)
    var assignments = ["\(version) = stored.\(version) + 1"]
    for (position, column) in columns.enumerated() {
      assignments.append("\(name(column.name)) = c\(position)")
    }
    for column in columns where column.kind == .toOneKey {
      guard case .toOne(_, _, let place?) = entity.storage[column.property.number] else { continue }
      assignments.append("\(name(place.name)) = NULL")
    }
    let types =
      [PostgreSQLTypeNumber.int8, PostgreSQLTypeNumber.int8]
      + columns.map { PostgreSQLColumnWriter.elementType($0.kind) }
    let arrays = types.enumerated().map { isOfOne ? element($0 + 1, $1) : array($0 + 1, $1) }
    let given = ["k", "v"] + columns.indices.map { "c\($0)" }
    return "UPDATE \(table(entity.table.name)) AS stored SET \(assignments.joined(separator: ", ")) "
      + "FROM unnest(\(arrays.joined(separator: ", "))) AS given(\(given.joined(separator: ", "))) "
      + "WHERE stored.\(name(system.key)) = given.k AND stored.\(version) = given.v"
      + (returningKeys ? " RETURNING stored.\(name(system.key))" : "")
  }

  /// Writes the values of a column, the second parameter, in the rows of the keys of the first.
  func setValues(_ column: SQLColumn, type: UInt32) -> String {
    "UPDATE \(table(column.table.name)) AS stored SET \(name(column.name)) = given.c "
      + "FROM unnest(\(array(1)), \(array(2, type))) AS given(k, c) "
      + "WHERE stored.\(name(system.key)) = given.k"
  }

  // MARK: Locks

  /// Locks rows against every change until the end of the transaction.
  func lock(_ rows: SQLTable) -> String { locked(rows, [system.key], "FOR SHARE") }

  /// Locks rows whose values are about to be computed from others, so that of two writers the second sees
  /// what the first has done.
  func lockForComputing(_ rows: SQLTable) -> String { locked(rows, [system.key], "FOR NO KEY UPDATE") }

  /// Locks all rows of a table against other writers.
  func lockAll(_ rows: SQLTable) -> String { "LOCK TABLE \(table(rows.name)) IN SHARE ROW EXCLUSIVE MODE" }

  /// Locks rows that are to be deleted, and returns their keys and versions.
  func lockedVersions(_ rows: SQLTable) -> String {
    locked(rows, [system.key, system.version], "FOR UPDATE")
  }

  /// Locks rows that are to be deleted, and returns their keys and the numbers of their entities.
  func lockedEntities(_ rows: SQLTable) -> String {
    locked(rows, [system.key, system.entity], "FOR UPDATE")
  }

  /// The keys of rows, and the numbers of their entities, by ascending key.
  func entityNumbers(_ rows: SQLTable) -> String { locked(rows, [system.key, system.entity], "") }

  /// Locks rows against being deleted until the end of the transaction, and returns their keys.
  func lockAgainstDeletion(_ rows: SQLTable) -> String { locked(rows, [system.key], "FOR KEY SHARE") }

  /// In the order of keys, so that two writers do not wait for each other.
  private func locked(_ rows: SQLTable, _ columns: [String], _ strength: String) -> String {
    let key = name(system.key)
    return "SELECT \(columns.map(name).joined(separator: ", ")) FROM \(table(rows.name)) "
      + "WHERE \(key) = ANY(\(array(1))) ORDER BY \(key)\(strength.isEmpty ? "" : " " + strength)"
  }

  // MARK: Links

  /// The owners and the members of links, the first two parameters.
  private var links: String { "unnest(\(array(1)), \(array(2))) AS given(o, m)" }

  func insertPairs(into pairs: String, _ source: String, _ destination: String) -> String {
    "INSERT INTO \(table(pairs)) (\(name(source)), \(name(destination))) SELECT DISTINCT o, m FROM \(links) "
      + "ON CONFLICT DO NOTHING"
  }

  func deletePairs(from pairs: String, _ source: String, _ destination: String) -> String {
    "DELETE FROM \(table(pairs)) AS stored USING \(links) "
      + "WHERE stored.\(name(source)) = given.o AND stored.\(name(destination)) = given.m"
  }

  /// Takes rows from the members of owners that the rows name.
  func removeMembers(owner: SQLColumn, order: SQLColumn?) -> String {
    let columns = [owner, order].compactMap(\.self)
    return "UPDATE \(table(owner.table.name)) AS stored "
      + "SET \(columns.map { name($0.name) + " = NULL" }.joined(separator: ", ")) FROM \(links) "
      + "WHERE stored.\(name(system.key)) = given.m AND stored.\(name(owner.name)) = given.o"
  }

  /// The owners that members have now, where they are others than the given ones; the rows are locked.
  func formerOwners(_ owner: SQLColumn) -> String {
    "SELECT stored.\(name(owner.name)) FROM \(table(owner.table.name)) AS stored "
      + "JOIN \(links) ON stored.\(name(system.key)) = given.m "
      + "WHERE stored.\(name(owner.name)) <> given.o ORDER BY stored.\(name(system.key)) "
      + "FOR NO KEY UPDATE OF stored"
  }

  /// Makes rows members of owners, unless they are.
  func addMembers(owner: SQLColumn, order: SQLColumn?) -> String {
    let place = order.map { ", \(name($0.name)) = NULL" } ?? ""
    return "UPDATE \(table(owner.table.name)) AS stored SET \(name(owner.name)) = given.o\(place) "
      + "FROM \(links) WHERE stored.\(name(system.key)) = given.m "
      + "AND stored.\(name(owner.name)) IS DISTINCT FROM given.o"
  }

  /// Sets order values of members: the parameters are the values, the members, and the owner.
  ///
  /// - Parameter keepingStored: Whether those that have an order value keep it.
  func setOrders(_ columns: SQLOrderColumns, keepingStored: Bool) -> String {
    let order = name(columns.order)
    return "UPDATE \(table(columns.table)) AS stored SET \(order) = given.p "
      + "FROM unnest(\(array(1)), \(array(2))) AS given(p, m) "
      + "WHERE stored.\(name(columns.member)) = given.m AND stored.\(name(columns.owner)) = $3"
      + (keepingStored ? " AND stored.\(order) IS NULL" : "")
  }

  // MARK: Uniqueness

  /// The rows that have the values of some lines under a uniqueness constraint: the number of the line from
  /// 1, the row's key and entity number. The parameters are the keys of the lines' own rows, which are no
  /// holders, and their values, an array a column.
  func holders(_ rows: SQLTable, _ columns: [SQLColumn], types: [UInt32], entities: [Int]?) -> String {
    let arrays = [array(1)] + types.enumerated().map { array($0 + 2, $1) }
    let given = ["k"] + columns.indices.map { "c\($0)" } + ["line"]
    var tests = columns.enumerated().map { "stored.\(name($1.name)) = given.c\($0)" }
    tests.append("stored.\(name(system.key)) <> given.k")
    if let entities {
      tests.append(
        "stored.\(name(system.entity)) IN (\(entities.map(String.init).joined(separator: ", ")))")
    }
    return "SELECT given.line, stored.\(name(system.key)), stored.\(name(system.entity)) "
      + "FROM unnest(\(arrays.joined(separator: ", "))) WITH ORDINALITY "
      + "AS given(\(given.joined(separator: ", "))) JOIN \(table(rows.name)) AS stored "
      + "ON \(tests.joined(separator: " AND ")) ORDER BY given.line, stored.\(name(system.key))"
  }

  // MARK: Keys

  /// The last key that was given to a tree, whose number is the parameter, and the greatest of its rows.
  func greatestKey(_ rows: SQLTable) -> String {
    "SELECT \(name(counter.last)), (SELECT max(\(name(system.key))) FROM \(table(rows.name))) "
      + "FROM \(table(counter.table)) WHERE \(name(counter.entity)) = $1"
  }

  /// Takes keys of an entity tree for good, and returns the last of them.
  ///
  /// - Throws: ``PostgreSQLError``; `store-corrupt` where the store counts no keys of the tree.
  func takeKeys(_ connection: PostgreSQLConnection, entity number: Int, count: Int) throws -> Int64 {
    let last = name(counter.last)
    let cursor = try connection.run(
      "UPDATE \(table(counter.table)) SET \(last) = \(last) + $1 WHERE \(name(counter.entity)) = $2 "
        + "RETURNING \(last)",
      [PostgreSQLParameter(Int64(count)), PostgreSQLParameter(Int64(number))])
    return try cursor.step() ? cursor.int64(at: 0) : 0
  }

  // MARK: Sizes

  /// The names of all tables of entities and pairs, and their sizes in bytes with their indexes.
  func sizes() -> String {
    let names = (schema.tables.map(\.name) + schema.joinTables.map(\.name)).map {
      "(\(PostgreSQLName.literal($0)), \(PostgreSQLName.literal(table($0))))"
    }
    guard !names.isEmpty else { return "SELECT '', 0::bigint WHERE FALSE" }
    return "SELECT name, pg_total_relation_size(to_regclass(place)) "
      + "FROM (VALUES \(names.joined(separator: ", "))) AS given(name, place)"
  }

  // MARK: Metadata

  /// The statements that make the table of the metadata, and describe it.
  static func creating(_ dialect: PostgreSQLDialect) -> [String] {
    let table = dialect.tableName(metadataTable)
    return [
      "CREATE TABLE \(table) (identifier uuid PRIMARY KEY, metadata text NOT NULL)",
      "COMMENT ON TABLE \(table) IS 'What the store says of itself, its model among it, as JSON'",
    ]
  }

  static func reading(_ dialect: PostgreSQLDialect) -> String {
    "SELECT identifier, metadata FROM \(dialect.tableName(metadataTable))"
  }

  /// The server's number of that table, as an expression; NULL where it is not there.
  static func metadataNumber(_ dialect: PostgreSQLDialect) -> String {
    "to_regclass(\(PostgreSQLName.literal(dialect.tableName(metadataTable))))::oid::bigint"
  }

  static func inserting(
    _ metadata: StoreMetadata, _ dialect: PostgreSQLDialect
  ) -> PostgreSQLConnection.Command {
    PostgreSQLConnection.Command(
      "INSERT INTO \(dialect.tableName(metadataTable)) (identifier, metadata) VALUES ($1, $2)",
      [PostgreSQLParameter(metadata.identifier), PostgreSQLParameter(text(of: metadata))])
  }

  /// The metadata; with a lock, nobody else changes them before the end of the transaction.
  ///
  /// - Throws: ``PostgreSQLError``, `store-corrupt`.
  func readMetadata(_ connection: PostgreSQLConnection, isLocking: Bool = false) throws -> StoreMetadata {
    let cursor = try connection.run(Self.reading(dialect) + (isLocking ? " FOR UPDATE" : ""))
    return try Self.metadata(cursor)
  }

  func writeMetadata(_ metadata: StoreMetadata, _ connection: PostgreSQLConnection) throws {
    try connection.run(
      "UPDATE \(table(Self.metadataTable)) SET metadata = $1", [PostgreSQLParameter(Self.text(of: metadata))])
  }

  /// - Throws: `store-corrupt`.
  static func metadata(_ cursor: PostgreSQLCursor) throws -> StoreMetadata {
    guard try cursor.step(),
      let node = try? JSONValue(json: Array(cursor.string(at: 1).utf8)),
      case .dictionary(let values)? = JSONMetadata.value(node)
    else {
      throw GraphStoreError(
        .storeCorrupt, "The table \(metadataTable) of the store has no metadata that can be read.",
        remedy: "Restore the table from a backup.")
    }
    return StoreMetadata(identifier: unsafe UUID(bytes: cursor.bytes(at: 0)), values: values)
  }

  private static func text(of metadata: StoreMetadata) -> String {
    JSONMetadata.json(.dictionary(metadata.values)).compactText
  }
}

extension PostgreSQLParameter {
  fileprivate init(_ identifier: UUID) {
    unsafe self.init(
      type: PostgreSQLTypeNumber.uuid, bytes: withUnsafeBytes(of: identifier.uuid) { unsafe Array($0) })
  }
}
#endif
