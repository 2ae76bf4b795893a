import GraphStoreModel
import GraphStorePredicates

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
