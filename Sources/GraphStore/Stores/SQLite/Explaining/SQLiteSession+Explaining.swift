import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

extension SQLiteSession {
  /// The fewest objects for which an index is worth its cost (DGN-088, PRD-278).
  private static let fewestForAdvice = 1000

  func explanation(of planned: SQLiteFetchStatement) throws -> FetchExplanation {
    let (fetch, request) = (planned.statement, planned.request)
    try install(request.functions)
    return try reporting {
      try connection.withoutCounting {
        let steps = try SQLiteQueryPlan(connection, sql: fetch.sql, bindings: fetch.bindings)
        let total = try total(request)
        let indexes = try indexNames()
        let texts = SQLiteBindingText(fetch.select)
        let statement = FetchExplanation.Statement(
          prefetches: nil, store: storeName, sql: fetch.sql,
          bindings: fetch.bindings.map(texts.text), plan: steps.steps)
        return FetchExplanation(
          entity: request.entityName, parts: fetch.notes, statements: [statement],
          sort: sort(fetch, request: request, steps: steps, indexes: indexes),
          window: Self.window(fetch, request),
          rows: try rows(fetch, request: request, steps: steps, total: total, indexes: indexes),
          advice: try advice(fetch, request: request, steps: steps, total: total))
      }
    }
  }

  private var storeName: String {
    scope.label?.name ?? path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The objects that the request's entity has in the store.
  private func total(_ request: StoreRequest) throws -> Int { try plan(request.countOfAll).count() }

  private func indexNames() throws -> [String] {
    try SQLiteSchemaCopy.rows(connection, "SELECT name FROM sqlite_schema WHERE type = 'index'", columns: 1)
      .compactMap { $0[0] }
  }

  private func sort(
    _ fetch: SQLFetchPlan, request: StoreRequest, steps: SQLiteQueryPlan, indexes: [String]
  ) -> FetchExplanation.Sort? {
    guard !request.sortDescriptors.isEmpty || fetch.output.hasRequestedOrder else { return nil }
    guard fetch.isSortedByStore else {
      return .memory(fetch.notes.first { $0.kind == .sort && !$0.isInStore }?.reason ?? .mixed)
    }
    if steps.sortsAfterReading { return .afterReading }
    return steps.outerIndex(among: indexes).map { .index($0) } ?? .primaryKey
  }

  private static func window(
    _ fetch: SQLFetchPlan, _ request: StoreRequest
  ) -> FetchExplanation.Window? {
    guard request.fetchLimit > 0 || request.fetchOffset > 0 else { return nil }
    return FetchExplanation.Window(
      limit: request.fetchLimit, offset: request.fetchOffset, reason: fetch.isWindowedByStore ? nil : .mixed)
  }

  private func rows(
    _ fetch: SQLFetchPlan, request: StoreRequest, steps: SQLiteQueryPlan, total: Int,
    indexes: [String]
  ) throws -> FetchExplanation.Rows {
    var rows = FetchExplanation.Rows(read: nil, returned: nil, total: total, isExact: false)
    if !fetch.notes.contains(where: { $0.kind == .predicate && $0.isInStore }) {
      rows.read = total
      rows.isExact = true
    } else if steps.searches, let index = steps.outerIndex(among: indexes) {
      let terms = steps.terms
      rows.read = try SQLiteRowEstimate(connection: connection)
        .rows(index, equal: terms.equal, hasRange: terms.hasRange).map { min($0, total) }
    }
    guard !fetch.output.joinsRows else { return rows }
    if fetch.isWindowedByStore, let read = rows.read {
      let rest = max(0, read - request.fetchOffset)
      rows.read = request.fetchLimit > 0 ? min(rest, request.fetchLimit) : rest
    }
    if fetch.residual == nil { rows.returned = rows.read }
    return rows
  }

  private func advice(
    _ fetch: SQLFetchPlan, request: StoreRequest, steps: SQLiteQueryPlan, total: Int
  ) throws -> [FetchExplanation.Advice] {
    guard total >= Self.fewestForAdvice, let entity = schema.model.entitiesByName[request.entityName] else {
      return []
    }
    var advice: [FetchExplanation.Advice] = []
    let table = schema.entity(entity).table
    let readsAll = steps.readsAll(of: table)
    if readsAll || steps.sortsAfterReading {
      let advisor = SQLiteIndexAdvisor(
        store: connection, fetch: fetch, entity: entity, table: table, total: total,
        functions: request.functions)
      if let index = try advisor.advice() { advice.append(index) }
    }
    guard advice.isEmpty, readsAll, let predicate = request.predicate else { return advice }
    var copies = NormalizedCopyAdvice(entity, total: total.grouped)
    predicate.walk(&copies)
    return copies.advice
  }

  func prefetchStatements(_ relationship: RelationshipLayout) throws -> [FetchExplanation.Statement] {
    guard let sql = prefetchText(relationship) else { return [] }
    return try reporting {
      try connection.withoutCounting {
        [
          FetchExplanation.Statement(
            prefetches: relationship.description.name, store: storeName, sql: sql,
            bindings: ["list of the keys that were read"],
            plan: try SQLiteQueryPlan(connection, sql: sql, bindings: [.text("[]")]).steps)
        ]
      }
    }
  }
}
