import GraphStoreModel
import GraphStorePredicates

extension SQLiteStore {
  func plan(_ request: FetchRequest, _ output: FetchOutput) throws -> StoreFetchPlan {
    try reporting { try applicationFunctions.install(request.functions, on: connection) }
    let planner = SQLPlanner(
      schema: schema, dialect: SQLiteDialect(locale: request.evaluation.locale),
      storeUUID: scope.uuid, indexedForms: indexedForms)
    let sql = try planner.plan(request, output: sqlOutput(output))
    return StoreFetchPlan(
      entity: try layout.entity(named: request.entityName), output: output, residual: sql.residual,
      isSortedByStore: sql.isSortedByStore, isWindowedByStore: sql.isWindowedByStore,
      crossesRelationships: sql.crossesRelationships, parts: sql.notes,
      hasAllFields: !sql.fields.contains { if case .inMemory = $0.kind { true } else { false } },
      payload: SQLiteFetch(plan: sql, includesSubentities: request.includesSubentities))
  }

  private func sqlOutput(_ output: FetchOutput) -> SQLFetchPlan.Output {
    switch output {
    case .rows: .rows
    case .identifiers: .identifiers
    case .count: .count
    case .fields(let keyPaths): .fields(keyPaths)
    }
  }

  func sqlFetch(_ plan: StoreFetchPlan) throws -> SQLiteFetch {
    guard let fetch = plan.payload as? SQLiteFetch else {
      throw GraphStoreError(
        .internalInconsistency, "A fetch was planned for another kind of store.",
        remedy: "This is a fault of the library; please report it.")
    }
    return fetch
  }
}
