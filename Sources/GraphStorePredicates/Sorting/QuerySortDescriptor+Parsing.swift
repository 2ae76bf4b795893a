extension QuerySortDescriptor {
  /// Makes a descriptor of a key path's text, such as `department.name`. Throws `invalid-key-path`.
  public init(
    key: String, ascending: Bool = true, comparator: Comparator = .compare
  ) throws(QueryPredicateError) {
    self.init(keyPath: try QueryKeyPath(parsing: key), ascending: ascending, comparator: comparator)
  }

  /// Reads one descriptor, `[-|+]keypath[:modifier…]`. Throws ``QueryPredicateError`` with the position.
  public init(parsing text: String) throws(QueryPredicateError) {
    var reader = SortReader(text)
    self = try reader.descriptor(from: 0, to: text.utf8.count)
  }

  /// Reads descriptors separated by commas, such as `-salary,department.name:localizedStandard`.
  public static func list(parsing text: String) throws(QueryPredicateError) -> [QuerySortDescriptor] {
    var reader = SortReader(text)
    return try reader.list()
  }
}

extension QuerySortDescriptor.Comparator {
  /// Finds a comparator by its name here or by its customary name, such as `localizedStandardCompare:`. Throws
  /// `unsupported-sort` for any other.
  public init(selector name: String) throws(QueryPredicateError) {
    let customary: [String: Self] = [
      "compare:": .compare, "caseInsensitiveCompare:": .caseInsensitive, "localizedCompare:": .localized,
      "localizedCaseInsensitiveCompare:": .localizedCaseInsensitive,
      "localizedStandardCompare:": .localizedStandard,
    ]
    guard let comparator = Self(rawValue: name) ?? customary[name] else {
      throw QueryPredicateError(
        .unsupportedSort, "unsupported NSSortDescriptor selector: \(name)",
        hint: "Sort the result in memory with a comparison of your own.",
        suggestions: NearestNames.names(near: name, among: customary.keys.sorted()))
    }
    self = comparator
  }
}
