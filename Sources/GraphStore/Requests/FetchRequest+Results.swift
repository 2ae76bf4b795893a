import GraphStorePredicates

/// What a request returns.
public enum FetchRequestResultType: String, Hashable, Sendable, CaseIterable {
  /// Objects, faults by default (FET-071).
  case managedObject
  /// Their identifiers (FET-072).
  case managedObjectID
  /// Dictionaries of values that the store has, without objects (FET-074).
  case dictionary
  /// One number (FET-075).
  case count
}

/// The options of a request that say what is returned, where that is not the objects themselves.
struct ResultOptions: Sendable, Hashable {
  var resultType = FetchRequestResultType.managedObject
  var propertiesToFetch: [ResultProperty]?
  var propertiesToGroupBy: [ResultProperty]?
  var havingPredicate: QueryPredicate?
  var returnsDistinctResults = false
}

extension FetchRequest {
  /// What the request returns (FET-009).
  ///
  /// ``ManagedObjectContext/fetchResults(_:)`` returns results of every type;
  /// ``ManagedObjectContext/fetchDictionaries(_:)`` and the other calls those of one, and throw `result-type-mismatch` for
  /// a request of another (FET-022).
  public var resultType: FetchRequestResultType {
    get { resultOptions.resultType }
    set { resultOptions.resultType = newValue }
  }

  /// What the dictionaries hold, in order; nil for all attributes of the entity that are stored, or for what the results
  /// are grouped by (FET-079, FET-080, FET-100).
  ///
  /// Has no effect on other results than dictionaries (FET-094).
  public var propertiesToFetch: [ResultProperty]? {
    get { resultOptions.propertiesToFetch }
    set { resultOptions.propertiesToFetch = newValue }
  }

  /// What rows that are equal in it make one group of: each group gives one dictionary (FET-097, FET-101).
  ///
  /// Nil equals nil here, and texts are equal if their bytes are. With any other result than dictionaries
  /// `group-by-needs-dictionaries` is thrown (FET-098).
  public var propertiesToGroupBy: [ResultProperty]? {
    get { resultOptions.propertiesToGroupBy }
    set { resultOptions.propertiesToGroupBy = newValue }
  }

  /// The condition on groups: over what they are grouped by, aggregates of keys, and the names of the results, written
  /// plainly or as `$name` (FET-102).
  ///
  /// It follows three-valued logic. Anything else in it throws `invalid-having`.
  public var havingPredicate: QueryPredicate? {
    get { resultOptions.havingPredicate }
    set { resultOptions.havingPredicate = newValue }
  }

  /// Whether dictionaries that are equal in all values to another one are left out (FET-105).
  public var returnsDistinctResults: Bool {
    get { resultOptions.returnsDistinctResults }
    set { resultOptions.returnsDistinctResults = newValue }
  }
}
