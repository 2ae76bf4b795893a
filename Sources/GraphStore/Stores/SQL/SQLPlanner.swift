import GraphStoreModel
import GraphStorePredicates

/// Turns requests into statements: parts with exactly the same meaning in the store are pushed down, the rest
/// is left for memory (PRD-230, PRD-231).
///
/// A planner is a value; planning costs one walk over the request and reads nothing.
package struct SQLPlanner {
  package let schema: SQLSchema
  package let dialect: any SQLDialect
  /// The store's UUID in upper case; objects of other stores then match nothing. Nil where there is one
  /// store only.
  package var storeUUID: String?
  /// The expressions that indexes of the model have in a form of their own.
  package var indexedForms: IndexExpressionMatcher

  package init(
    schema: SQLSchema, dialect: any SQLDialect, storeUUID: String? = nil,
    indexedForms: IndexExpressionMatcher = .none
  ) {
    self.schema = schema
    self.dialect = dialect
    self.storeUUID = storeUUID
    self.indexedForms = indexedForms
  }

  /// The plan of a request whose predicate and sort are checked and hold no variables.
  ///
  /// - Throws: `unknown-entity`, `unsupported-in-store` where the request refuses evaluation in memory, and
  ///   ``QueryPredicateError`` for a field that the entity does not have.
  package func plan(_ request: StoreRequest) throws -> SQLFetchPlan {
    guard let entity = schema.model.entitiesByName[request.entityName] else {
      throw GraphStoreError(
        .unknownEntity,
        "Cannot perform operation since entity with name '\(request.entityName)' cannot be found.",
        remedy: "Name an entity of the model.", entity: request.entityName)
    }
    var work = SelectBuilder(self, entity: entity, request: request)
    work.selectEntity()
    work.selectKeys()
    work.split()
    let result: SQLFetchPlan
    switch request.output {
    case .results(let query), .resultCount(let query): result = work.finish(query, request.output)
    case .rows, .partialRows, .identifiers, .count, .fields:
      try work.sort()
      result = try work.finish(request.output)
    }
    if request.inMemoryEvaluation == .refused { try refuse(result.notes, entity) }
    return result
  }

  /// Names every part of predicate and sort that the store cannot run (FET-018); fields may be read from the
  /// objects.
  private func refuse(_ notes: [FetchExplanation.Part], _ entity: EntityDescription) throws {
    let errors = notes.filter { !$0.isInStore && $0.kind != .field }.map { refusal(of: $0, entity) }
    guard var error = errors.first else { return }
    if errors.count > 1 {
      error.message = errors.map(\.message).joined(separator: " ")
      error.errors = errors
    }
    throw error
  }

  private func refusal(of part: FetchExplanation.Part, _ entity: EntityDescription) -> GraphStoreError {
    let message = "The store cannot run \(part.text) (\(part.reason?.rawValue ?? part.detail))."
    let remedy = "Allow evaluation in memory, or write the part in another way: \(part.detail)."
    return GraphStoreError(
      .unsupportedInStore, message, remedy: remedy, entity: entity.name,
      underlying: QueryPredicateError(
        .unsupportedInStore, message, range: part.range, hint: remedy, subject: part.text))
  }
}

/// A fetch as one statement of the store, and what is left to do in memory.
package struct SQLFetchPlan: Sendable {
  /// The statement as a tree.
  package var select: SQLSelect
  /// The statement's text; every constant is bound, so it depends on the shape of the request alone
  /// (PRD-235).
  package var sql: String
  /// The values to bind, from parameter 1.
  package var bindings: [SQLBinding]
  /// The meaning of the columns, for ``StoreRequest/Output/fields(_:)``.
  package var fields: [SQLField]
  /// The columns of rows, from the fourth of the statement on; empty for other outputs.
  package var columns: [SQLColumn]
  /// The output of the statement: the requested one, except that a count with a ``residual`` needs the rows.
  package var output: StoreRequest.Output
  /// The part of the predicate that the store cannot run, to be evaluated over the rows that it returns.
  package var residual: QueryPredicate?
  /// Whether the statement sorts; if not, memory sorts the rows.
  package var isSortedByStore: Bool
  /// Whether limit and offset are part of the statement; if not, the window is cut in memory.
  package var isWindowedByStore: Bool
  /// Whether the statement returns the dictionaries, or their number, that were asked for; if not, they are
  /// made of rows.
  package var hasResults = true
  /// The parts: what runs where and why, for people.
  package var notes: [FetchExplanation.Part]
}
