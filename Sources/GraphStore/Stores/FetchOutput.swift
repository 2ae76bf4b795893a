/// What a fetch is to return; as a statement, in which columns.
enum FetchOutput: Sendable, Hashable {
  /// `Z_PK`, `Z_ENT`, `Z_OPT`, then the value columns of the entity (and of its sub-entities, if they count) in the order
  /// of their table.
  case rows
  /// The same, with the columns of the named properties alone: the others are missing in the rows, which are good for being
  /// judged and sorted, and go into no row cache.
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
