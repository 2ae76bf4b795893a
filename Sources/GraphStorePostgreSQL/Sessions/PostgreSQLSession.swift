#if PostgreSQL
import GraphStore
import GraphStoreModel
import GraphStorePredicates

/// A store on a server seen through one connection: what reading and writing have in common.
class PostgreSQLSession: SQLSession {
  let store: PostgreSQLStore
  /// The connection; nil for a session that has not begun, or has ended.
  @safe @exclusivity(unchecked) final var begun: PostgreSQLConnection?

  init(_ store: PostgreSQLStore, _ connection: PostgreSQLConnection?) {
    self.store = store
    begun = connection
  }

  /// The origin of rows that the session reads.
  var origin: RowCache.Origin { .commit }

  final var connection: PostgreSQLConnection {
    guard let begun else { preconditionFailure("a session reads before it has begun") }
    return begun
  }

  /// Runs a body and turns what the server says into an error of the store's.
  final func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let failure as PostgreSQLError {
      if failure.category == .cancelled, RequestCancellation.isRequested {
        throw GraphStoreError.cancelledRequest
      }
      if failure.mayComeOfReplacement, store.wasReplaced { throw GraphStoreError.replaced(path) }
      throw GraphStoreError(failure, path: path)
    }
  }

  /// Has the server say with the next statement whether the store is still the one that was opened: in
  /// another one, as a migration leaves it, columns and the numbers of entities mean something else.
  ///
  /// The table is read, and so locked until the request ends: who exchanges a store locks it before all
  /// others.
  final func checkIdentity() {
    connection.precede(with: PostgreSQLConnection.Command(store.tables.identity)) { [store] cursor in
      guard try cursor.step(), cursor.int64(at: 0) == store.tableNumber else {
        throw GraphStoreError.replaced(store.path)
      }
    }
  }

  /// Whether long results are read by pages, since other statements run while they are read.
  var readsPages: Bool { false }
  /// The number of results that were read so.
  private var pagedResults = 0

  /// Runs one statement.
  @discardableResult
  final func run(_ sql: String, _ parameters: [PostgreSQLParameter]) throws -> PostgreSQLCursor {
    try reporting { try connection.run(sql, parameters) }
  }

  /// Runs the statement of a request; many rows are handed over as they come, or by pages.
  final func runFetch(
    _ sql: String, _ bindings: [SQLBinding], isLong: Bool, _ body: (PostgreSQLCursor) throws -> Void
  ) throws {
    let parameters = bindings.map { PostgreSQLParameter($0) }
    try reporting {
      guard isLong else { return try body(try connection.run(sql, parameters)) }
      if readsPages { return try forEachPage(sql, parameters, body) }
      let cursor = try connection.stream(sql, parameters)
      defer { cursor.end() }
      try body(cursor)
    }
  }

  /// The most rows of a page.
  private static let pageSize = 1000

  /// Reads a result by a cursor of the server's, which ends with the transaction.
  private func forEachPage(
    _ sql: String, _ parameters: [PostgreSQLParameter], _ body: (PostgreSQLCursor) throws -> Void
  ) throws {
    pagedResults += 1
    let name = "pages_\(pagedResults)"
    var declaration = PostgreSQLConnection.Command("DECLARE \(name) NO SCROLL CURSOR FOR \(sql)", parameters)
    declaration.isRepeated = false
    let fetching = PostgreSQLConnection.Command.once("FETCH \(Self.pageSize) FROM \(name)")
    // All rows are going to be read.
    let setting = PostgreSQLConnection.Command.once("SET LOCAL cursor_tuple_fraction TO 1")
    var page = try connection.run([setting, declaration, fetching])[2]
    while true {
      let isLast = page.rows < Self.pageSize
      try body(page)
      if isLast { return }
      page = try connection.run([fetching])[0]
    }
  }

  // MARK: Reading

  final func plan(_ request: StoreRequest) throws -> any StoreFetchPlan {
    PostgreSQLFetch(
      request: request, entity: try layout.entity(named: request.entityName),
      statement: try store.planner(for: request).plan(request), session: self)
  }

  final func read(
    _ sql: String, _ keys: [Int64], by test: SQLKeyTest, _ body: (PostgreSQLCursor) throws -> Void
  ) throws {
    try body(try run(sql, [test == .one ? PostgreSQLParameter(keys[0]) : PostgreSQLParameter(keys: keys)]))
  }

  /// For one key a plan is kept; for a list the server makes one each time.
  static func test(for keys: [Int64]) -> SQLKeyTest { keys.count == 1 ? .one : .list }

  final func row(_ entity: EntityLayout, _ key: Int64) throws -> Row? {
    guard store.entities.holds(entity.entity) else { return nil }
    let root = layout.entities[entity.rootIndex]
    let cursor = try run(statements.rowByKey(root), [PostgreSQLParameter(key)])
    let batch = RowBatch()
    _ = try decoder(root).fill(batch, from: cursor) { _ in true }
    return batch.first
  }

  final func decoder(_ entities: [SQLEntity], columns: [SQLColumn]) -> PostgreSQLRowDecoder {
    PostgreSQLRowDecoder(schema: schema, layout: layout, entities: entities, columns: columns)
  }

  final func metadata() throws -> [String: Value] {
    try reporting { try store.tables.readMetadata(connection).all }
  }

  final func greatestKey(_ root: EntityLayout) throws -> Int64 {
    guard store.entities.holds(root.entity) else { return 0 }
    let entity = schema.entities[root.index]
    let cursor = try run(
      store.tables.greatestKey(entity.table), [PostgreSQLParameter(Int64(entity.namingNumber))])
    return try cursor.step() ? max(cursor.int64(at: 0), cursor.int64(at: 1), 0) : 0
  }

  final func memberRows(
    _ relationship: RelationshipLayout, in root: EntityLayout, owners: [Int64],
    _ receive: (inout RowBatch) throws -> Void
  ) throws -> [LinkRow] {
    try membersWithRows(relationship, in: root, owners: owners, receive)
  }

  // MARK: Uniqueness

  /// One statement, whatever the number of rows.
  final func holders(of constraint: UniquenessConstraint, rows: [SaveRequest.FetchedRow]) throws
    -> [ConstraintHolder]
  {
    guard let first = rows.first else { return [] }
    let table = schema.entities[first.row.layout.index].table
    let columns = columns(of: constraint, first.row.layout)
    if columns.isEmpty { return [] }
    var own = PostgreSQLParameterArray(of: PostgreSQLTypeNumber.int8, capacity: rows.count)
    for fetched in rows { own.append(fetched.key) }
    let arrays = try values(of: columns.indices, constraint, rows)
    let sql = store.tables.holders(
      table, columns, types: arrays.map(\.elementType), entities: numbers(boundBy: constraint))
    let cursor = try run(sql, [own.parameter] + arrays.map(\.parameter))
    var found: [ConstraintHolder] = []
    while try cursor.step() {
      guard let entity = schema.entity(numbered: Int(cursor.int64(at: 2))) else { continue }
      found.append(
        ConstraintHolder(
          position: Int(cursor.int64(at: 0)) - 1,
          holder: ObjectKey(entity: entity.entity.index, key: cursor.int64(at: 1))))
    }
    return found
  }

  /// The values of some rows under a constraint, one array a column; rows may be of several entities.
  private func values(
    of positions: Range<Int>, _ constraint: UniquenessConstraint, _ rows: [SaveRequest.FetchedRow]
  ) throws -> [PostgreSQLParameterArray] {
    try positions.map { position in
      var array: PostgreSQLParameterArray?
      for fetched in rows {
        let layout = fetched.row.layout
        let column = columns(of: constraint, layout)[position]
        guard
          var writer = PostgreSQLColumnWriter(
            column, of: layout, schema: schema, keys: PermanentKeyMap(), capacity: rows.count,
            continuing: array)
        else { continue }
        try writer.append(fetched.row)
        array = writer.array
      }
      return array ?? PostgreSQLParameterArray(of: PostgreSQLTypeNumber.text, capacity: 0)
    }
  }
}

extension PostgreSQLStore {
  /// Whether another store is in the place of this one, or none; false where the server does not answer.
  var wasReplaced: Bool {
    let found = try? withConnection { connection in
      let cursor = try connection.run("SELECT \(PostgreSQLTables.metadataNumber(dialect))")
      return try cursor.step() && cursor.int64(at: 0) == tableNumber
    }
    return found == false
  }
}

extension GraphStoreError {
  /// The error that another store is in the place of one that is open.
  static func replaced(_ path: String) -> GraphStoreError {
    GraphStoreError(
      .storeReplaced,
      "\(path) is another store than the one that was opened: it was replaced or removed meanwhile.",
      remedy: "Open the store anew, and repeat a change that was being saved: nothing was written.")
  }
}
#endif
