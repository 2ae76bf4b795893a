#if PostgreSQL
import GraphStore
import GraphStoreModel
import GraphStorePredicates

extension PostgreSQLReadSession: ExplainingSession {}
extension PostgreSQLWriteSession: ExplainingSession {}
extension PostgreSQLGenerationSession: ExplainingSession {}

extension PostgreSQLSession {
  /// Explains how the server would run a request.
  func explanation(of fetch: PostgreSQLFetch) throws -> FetchExplanation {
    let (request, statement) = (fetch.request, fetch.statement)
    return statement.explanation(
      of: request, store: storeName, bindings: statement.bindings.map { "\($0)" },
      steps: try steps(of: statement.sql, statement.bindings.map { PostgreSQLParameter($0) }),
      total: try plan(request.countOfAll).count())
  }

  func prefetchStatements(_ relationship: RelationshipLayout) throws -> [FetchExplanation.Statement] {
    guard let sql = prefetchText(relationship) else { return [] }
    return [
      FetchExplanation.Statement(
        prefetching: relationship.description.name, store: storeName, sql: sql,
        bindings: ["list of the keys that were read"],
        steps: try steps(of: sql, [PostgreSQLParameter(keys: [])]))
    ]
  }

  private var storeName: String { scope.label?.name ?? path }

  /// The steps of the server's plan for a statement.
  private func steps(of sql: String, _ parameters: [PostgreSQLParameter]) throws -> [String] {
    let cursor = try run("EXPLAIN (COSTS OFF) " + sql, parameters)
    var steps: [String] = []
    while try cursor.step() { steps.append(cursor.string(at: 0)) }
    return steps
  }
}
#endif
