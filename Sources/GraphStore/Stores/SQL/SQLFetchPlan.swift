import GraphStorePredicates

/// A fetch as one statement of the store, and what is left to do in memory.
struct SQLFetchPlan: Sendable {
  /// The statement as a tree.
  var select: SQLSelect
  /// The statement's text; every constant is bound, so it depends on the shape of the request alone
  /// (PRD-235).
  var sql: String
  /// The values to bind, from parameter 1.
  var bindings: [SQLBinding]
  /// What the columns mean, for ``FetchOutput/fields(_:)``.
  var fields: [SQLField]
  /// The columns of rows, from the fourth of the statement on; empty for other outputs.
  var columns: [SQLColumn]
  /// What the statement returns: what was asked for, except that a count with a ``residual`` needs the rows.
  var output: FetchOutput
  /// The part of the predicate that the store cannot run, to be evaluated over the returned objects.
  var residual: QueryPredicate?
  /// Whether the statement sorts; if not, the objects are sorted in memory.
  var isSortedByStore: Bool
  /// Whether limit and offset are part of the statement; if not, the window is cut in memory.
  var isWindowedByStore: Bool
  /// Whether the statement gives the dictionaries, or their number, that were asked for; if not, they are made of rows.
  var hasResults = true
  /// What runs where and why, for people.
  var notes: [FetchExplanation.Part]
}
