import GraphStorePredicates

extension PredicateTypeChecker {
  /// The sort descriptors in checked form (PRD-224, PRD-225, PRD-226).
  ///
  /// - Throws: `unsupported-sort` for a key without an order, `unknown-key`, or `transient-in-fetch`.
  package func check(
    _ descriptors: [QuerySortDescriptor]
  ) throws(QueryPredicateError) -> [QuerySortDescriptor] {
    var checked: [QuerySortDescriptor] = []
    checked.reserveCapacity(descriptors.count)
    for descriptor in descriptors { checked.append(try check(descriptor)) }
    return checked
  }

  private func check(_ descriptor: QuerySortDescriptor) throws(QueryPredicateError) -> QuerySortDescriptor {
    let path = descriptor.keyPath
    let range = descriptor.sourceRange
    guard path.base == nil else {
      throw refusal("A sort key begins at the object that is fetched.", path: path, range: range)
    }
    let found = try resolve(path, at: range, findsKeysOfSubentities: false)
    if purpose == .fetch, let property = found.unstoredProperty {
      throw QueryPredicateError(
        .transientInFetch,
        "The property \(property.description) is not stored, so a fetch cannot sort by it.",
        source: source, range: range, hint: "Sort the result.", subject: path.text)
    }
    try requireOrder(found, path: path, range: range)
    return QuerySortDescriptor(
      keyPath: QueryKeyPath(steps: found.keys.isEmpty ? [.key("objectID")] : found.keys),
      ascending: descriptor.ascending,
      comparator: descriptor.comparator, sourceRange: range)
  }

  private func requireOrder(
    _ found: ResolvedKeyPath, path: QueryKeyPath, range: SourceRange?
  ) throws(QueryPredicateError) {
    switch found.type {
    case .collection:
      throw refusal(
        "\(path.text) leads to several values, which have no place in an order.", path: path, range: range,
        hint: "Sort by an aggregate such as \(path.text).@count.")
    case .object:
      guard case .relationship(let relationships)? = found.steps.last else { return }
      guard relationships.allSatisfy({ $0.inverse?.isOrdered == true }) else {
        throw refusal(
          "\(path.text) is an object, and objects have no order.", path: path, range: range,
          hint: "Sort by one of its attributes, or by objectID.")
      }
    case .composite, .dictionary:
      throw refusal("\(path.text) is \(found.type), which has no order.", path: path, range: range)
    default: return
    }
  }

  private func refusal(
    _ message: String, path: QueryKeyPath, range: SourceRange?, hint: String? = nil
  ) -> QueryPredicateError {
    QueryPredicateError(
      .unsupportedSort, message, source: source, range: range, hint: hint, subject: path.text)
  }
}
