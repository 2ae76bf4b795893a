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

/// What a fetch is to return; as a statement, in which columns.
enum FetchOutput: Sendable, Hashable {
  /// `Z_PK`, `Z_ENT`, `Z_OPT`, then the value columns of the entity (and of its sub-entities, if they count)
  /// in the order of their table.
  case rows
  /// The same, with the columns of the named properties alone: the others are missing in the rows, which are
  /// good for being judged and sorted, and go into no row cache.
  case partialRows(Set<String>)
  /// `Z_PK`, `Z_ENT`.
  case identifiers
  /// The number of matching rows.
  case count
  /// `Z_PK`, `Z_ENT`, then a column (for a to-one, its key and its entity number) for each key path.
  case fields([String])
  /// The values of dictionaries.
  case results(ResultQuery)
  /// The number of dictionaries.
  case resultCount(ResultQuery)
}

extension FetchOutput {
  private var query: ResultQuery? {
    switch self {
    case .results(let query), .resultCount(let query): query
    case .rows, .partialRows, .identifiers, .count, .fields: nil
    }
  }

  /// Whether dictionaries, or their number, are asked for.
  var isOfResults: Bool { query != nil }

  /// Whether dictionaries are asked for in an order of their own.
  var hasRequestedOrder: Bool { query?.hasRequestedOrder ?? false }
  /// Whether results stand for several rows, so that a window of them reads all rows.
  var joinsRows: Bool { query?.joinsRows ?? false }
}

/// Why a part of a request cannot run in its store; the raw value is what people read.
public enum InMemoryReason: String, Hashable, Sendable, CaseIterable {
  /// A pattern that is another one for each object.
  case regularExpression = "regular expression"
  /// A comparison by the rules of a locale that the store cannot make.
  case localizedComparison = "localized comparison"
  /// A path over several to-many relationships that has no form in the store.
  case toManySteps = "more than one to-many step"
  /// A function that the store does not compute exactly.
  case function = "function not known to SQL"
  /// A function of the application.
  case customFunction = "custom function"
  /// A form whose answer for missing values would be another one.
  case missingValues = "meaning differs for missing values"
  /// A decimal that the store cannot compare exactly.
  case longDecimal = "long decimal"
  /// A sort or window that depends on a part in memory.
  case mixed = "mixed with a part that is in memory"
  /// A collection that is made of others, a member at a position, or another value that is no single one.
  case collection = "collection made in memory"
  /// Values of kinds that the store cannot compare exactly.
  case differentKinds = "values of different kinds"
  /// A value that the store's row does not have.
  case notInRow = "value that is not in the store's row"
  /// A closure.
  case closure = "closure"
  /// More than one statement can hold.
  case tooLarge = "too large for one statement"
  /// What the context has changed and not saved, which no statement can see.
  case unsavedChanges = "unsaved changes"
  /// More than one store, whose answers are merged.
  case severalStores = "several stores"
}
