import GraphStoreModel
import GraphStorePredicates

/// A planned fetch of a SQLite store.
struct SQLiteFetch: StoreFetchPlan {
  let statement: SQLFetchPlan
  let entity: EntityLayout
  let output: FetchOutput
  /// Whether the rows of sub-entities, and their columns, are part of the result.
  let includesSubentities: Bool
  /// The functions that the statement may call.
  let functions: PredicateFunctions

  var residual: QueryPredicate? { statement.residual }
  var isSortedByStore: Bool { statement.isSortedByStore }
  var isWindowedByStore: Bool { statement.isWindowedByStore }
  var parts: [FetchExplanation.Part] { statement.notes }

  var hasAllFields: Bool {
    statement.hasResults
      && !statement.fields.contains { if case .inMemory = $0.kind { true } else { false } }
  }
}

extension SQLiteStore {
  func plan(_ request: FetchRequest<ManagedObject>, _ output: FetchOutput) throws -> any StoreFetchPlan {
    let planner = SQLPlanner(
      schema: schema, dialect: SQLiteDialect(locale: request.evaluation.locale),
      storeUUID: scope.uuid, indexedForms: indexedForms)
    return SQLiteFetch(
      statement: try planner.plan(request, output: output),
      entity: try layout.entity(named: request.entityName), output: output,
      includesSubentities: request.includesSubentities, functions: request.functions)
  }
}
