import GraphStorePredicates

/// How a store is going to run a request, and what is left to do in memory.
struct StoreFetchPlan: Sendable {
  var entity: EntityLayout
  var output: FetchOutput
  /// The part of the predicate to be evaluated over the returned objects.
  var residual: QueryPredicate?
  var isSortedByStore: Bool
  var isWindowedByStore: Bool
  /// Whether unsaved changes of related objects can alter the answer.
  var crossesRelationships: Bool
  /// What runs where and why, for people.
  var parts: [FetchExplanation.Part]
  /// Whether every requested field comes from the store.
  var hasAllFields: Bool
  /// The store's own form of the layout.
  var payload: any Sendable

  /// Whether nothing is left to do in memory.
  var runsInStore: Bool { hasAllFields && residual == nil && isSortedByStore && isWindowedByStore }
}
