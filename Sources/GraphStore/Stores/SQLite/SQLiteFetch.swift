import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// The statement of a request, whichever session runs it.
struct SQLiteFetchStatement {
  let request: StoreRequest
  let entity: EntityLayout
  let statement: SQLFetchPlan

  var hasAllFields: Bool {
    statement.hasResults
      && !statement.fields.contains { if case .inMemory = $0.kind { true } else { false } }
  }
}

extension SQLiteStore {
  /// The statement of a request.
  ///
  /// - Throws: as ``SQLPlanner/plan(_:)``.
  func statement(of request: StoreRequest) throws -> SQLiteFetchStatement {
    SQLiteFetchStatement(
      request: request, entity: try layout.entity(named: request.entityName),
      statement: try planner(for: request).plan(request))
  }

  func planner(for request: StoreRequest) -> SQLPlanner {
    SQLPlanner(
      schema: schema, dialect: SQLiteDialect(locale: request.locale), storeUUID: scope.uuid,
      indexedForms: indexedForms)
  }
}

/// Plan of a SQLite store, which describes its statements.
protocol SQLiteFetchPlan: StoreFetchPlan {
  var fetch: SQLiteFetchStatement { get }
}

extension SQLiteFetchPlan {
  var entity: EntityLayout { fetch.entity }
  var residual: QueryPredicate? { fetch.statement.residual }
  var isSortedByStore: Bool { fetch.statement.isSortedByStore }
  var isWindowedByStore: Bool { fetch.statement.isWindowedByStore }
  var parts: [FetchExplanation.Part] { fetch.statement.notes }
  var hasAllFields: Bool { fetch.hasAllFields }
}

/// A request on its way through one connection.
struct SQLiteFetch: SQLiteFetchPlan {
  let fetch: SQLiteFetchStatement
  let session: SQLiteSession

  /// Runs the statement, with the functions that it calls known to the connection.
  private func run(_ body: (SQLiteStatement) throws -> Void) throws {
    try session.install(fetch.request.functions)
    try session.runFetch(fetch.statement.sql, fetch.statement.bindings, body)
  }

  func rows(_ receive: (inout RowBatch) throws -> Void) throws {
    let decoder = session.decoder(
      session.schema.entities[entity.index], includesSubentities: fetch.request.includesSubentities,
      columns: fetch.statement.columns)
    try run { try session.deliver(rowsOf: $0, by: decoder, to: receive) }
  }

  func identifiers() throws -> [ObjectKey] {
    let table = session.schema.entities[entity.index].table
    var identifiers: [ObjectKey] = []
    try run { identifiers = try $0.identifiers(of: table, in: session.schema) }
    return identifiers
  }

  func count() throws -> Int {
    var count = 0
    try run { if try $0.step() { count = Int($0.int64(at: 0)) } }
    return count
  }

  func fields(_ receive: (any FieldRow) throws -> Void) throws {
    try run { statement in
      let row = SQLiteFieldRow(
        statement: statement, fields: fetch.statement.fields, store: session.store,
        table: session.schema.entities[entity.index].table, isRecord: !fetch.request.output.isOfResults,
        connection: session.connection)
      while try statement.step() {
        try row.advance()
        try receive(row)
        try row.checkVisited()
      }
    }
  }

  func explanation() throws -> FetchExplanation { try session.explanation(of: fetch) }
}
