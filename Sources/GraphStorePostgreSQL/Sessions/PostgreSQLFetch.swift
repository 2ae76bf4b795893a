#if PostgreSQL
import GraphStore
import GraphStoreModel
import GraphStorePredicates

/// A request on its way through one connection.
struct PostgreSQLFetch: StoreFetchPlan {
  let request: StoreRequest
  let entity: EntityLayout
  let statement: SQLFetchPlan
  let session: PostgreSQLSession

  var residual: QueryPredicate? { statement.residual }
  var isSortedByStore: Bool { statement.isSortedByStore }
  var isWindowedByStore: Bool { statement.isWindowedByStore }
  var parts: [FetchExplanation.Part] { statement.notes }

  var hasAllFields: Bool {
    statement.hasResults
      && !statement.fields.contains { if case .inMemory = $0.kind { true } else { false } }
  }

  /// The most rows that are read as a whole, and not as they come.
  private static let wholeResult = 1000

  /// Whether there may be many rows.
  private var isLong: Bool { statement.select.limit.map { $0 > Self.wholeResult } ?? true }

  private func run(_ body: (PostgreSQLCursor) throws -> Void) throws {
    try session.runFetch(statement.sql, statement.bindings, isLong: isLong, body)
  }

  func rows(_ receive: (inout RowBatch) throws -> Void) throws {
    let decoder = session.decoder(
      session.schema.entities[entity.index], includesSubentities: request.includesSubentities,
      columns: statement.columns)
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
    try session.runFetch(statement.sql, statement.bindings, isLong: false) {
      if try $0.step() { count = Int($0.int64(at: 0)) }
    }
    return count
  }

  func fields(_ receive: (any FieldRow) throws -> Void) throws {
    try run { cursor in
      let row = PostgreSQLFieldRow(
        SQLFieldReader(
          cursor, statement.fields, of: session.schema.entities[entity.index].table, in: session.schema,
          session.scope, isRecord: !request.output.isOfResults))
      while try cursor.step() {
        try row.advance()
        try receive(row)
      }
    }
  }

  func explanation() throws -> FetchExplanation { try session.explanation(of: self) }
}
#endif
