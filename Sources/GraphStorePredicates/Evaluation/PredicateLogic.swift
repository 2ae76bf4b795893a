/// How a predicate treats missing values.
public enum PredicateLogic: Hashable, Sendable {
  /// Nil is a value like others: `x != 2` is true without x. For validation, filters and look-ups in memory.
  case twoValued
  /// A comparison with a missing value is unknown, as in SQL. For fetches and everything that follows them.
  case threeValued
}
