import GraphStorePredicates

/// Reads a sort key of a model: `[-|+]keypath[:modifier…]`, where a modifier is `asc`, `desc` or a comparator.
enum SortKeyText {
  private struct Words {
    var ascending: Bool?
    var comparator: QuerySortDescriptor.Comparator?
  }

  static func descriptor(_ text: String) throws(QueryPredicateError) -> QuerySortDescriptor {
    var parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    var keyPath = parts.removeFirst()
    var offset = keyPath.utf8.count + 1
    var words = Words()
    if let sign = keyPath.first, sign == "-" || sign == "+" {
      words.ascending = sign == "+"
      keyPath.removeFirst()
    }
    for part in parts {
      guard take(part, into: &words) else { throw failure(part, text, offset: offset) }
      offset += part.utf8.count + 1
    }
    return QuerySortDescriptor(
      keyPath: try QueryKeyPath(parsing: keyPath), ascending: words.ascending ?? true,
      comparator: words.comparator ?? .compare)
  }

  /// Notes a modifier; false for one that is unknown, repeated or contradicts another.
  private static func take(_ modifier: String, into words: inout Words) -> Bool {
    if modifier == "asc" || modifier == "desc" {
      guard words.ascending == nil else { return false }
      words.ascending = modifier == "asc"
      return true
    }
    guard words.comparator == nil, let comparator = QuerySortDescriptor.Comparator(rawValue: modifier) else {
      return false
    }
    words.comparator = comparator
    return true
  }

  private static func failure(_ modifier: String, _ text: String, offset: Int) -> QueryPredicateError {
    let names = ["asc", "desc"] + QuerySortDescriptor.Comparator.allCases.map(\.rawValue)
    return QueryPredicateError(
      .unsupportedSort, "\"\(modifier)\" is no modifier of a sort key, or contradicts another one.",
      source: text,
      range: SourceRange(offset: offset, length: modifier.utf8.count),
      hint: "The modifiers are \(names.joined(separator: ", ")).",
      suggestions: NearestNames.names(near: modifier, among: names))
  }
}
