import GraphStorePredicates

/// How a store is going to run a request, and what is left to do in memory.
protocol StoreFetchPlan: Sendable {
  var entity: EntityLayout { get }
  var output: FetchOutput { get }
  /// The part of the predicate to be evaluated over the returned objects.
  var residual: QueryPredicate? { get }
  var isSortedByStore: Bool { get }
  var isWindowedByStore: Bool { get }
  /// What runs where and why, for people.
  var parts: [FetchExplanation.Part] { get }
  /// Whether every requested field comes from the store.
  var hasAllFields: Bool { get }
}

extension StoreFetchPlan {
  /// Whether nothing is left to do in memory.
  var runsInStore: Bool { hasAllFields && residual == nil && isSortedByStore && isWindowedByStore }
}
