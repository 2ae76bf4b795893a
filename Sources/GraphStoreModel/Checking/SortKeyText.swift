import GraphStorePredicates

/// Reads the sort keys of models: a key path, `-` before one that descends.
enum SortKeyText {
  static func descriptor(_ text: String) throws(QueryPredicateError) -> QuerySortDescriptor {
    let isDescending = text.hasPrefix("-")
    let keyPath = isDescending || text.hasPrefix("+") ? String(text.dropFirst()) : text
    return QuerySortDescriptor(keyPath: try QueryKeyPath(parsing: keyPath), ascending: !isDescending)
  }
}
