/// A planned fetch of a SQLite store.
struct SQLiteFetch: Sendable {
  let plan: SQLFetchPlan
  /// Whether the rows of sub-entities, and their columns, are part of the result.
  let includesSubentities: Bool
}
