import GraphStore

extension EntityQuery {
  /// Sort keys by names of results, which may be more than key paths, and by keys of the entity.
  static func sortKeys(
    _ text: String, results: [String], of entity: EntityDescription
  ) throws(LocatedPredicateError) -> [QuerySortDescriptor] {
    try located(text, label: "--sort", entity: entity) { () throws(QueryPredicateError) in
      try QuerySortDescriptor.list(parsing: text, results: results)
    }
  }

  /// An error in what results are made of, in the text in which it lies; nil where it lies elsewhere.
  func locateInResults(_ error: QueryPredicateError) -> LocatedPredicateError? {
    var checker = PredicateTypeChecker(entity: entity, resolve: resolve)
    checker.aggregatesRows = true
    for entry in selection?.entries ?? [] {
      do throws(QueryPredicateError) {
        switch entry.property {
        case .keyPath(let path):
          _ = try checker.resolve(
            QueryKeyPath(parsing: path), at: SourceRange(offset: 0, length: path.utf8.count))
        case .expression(let description):
          _ = try checker.check(try description.expression.substituting(request.variables))
        }
      } catch {
        return LocatedPredicateError(error: error, label: entry.label, text: entry.text, entity: entity)
      }
    }
    return nil
  }

  /// What is wrong with what results are made of, with the place in the option that it was given by.
  func diagnostic(ofResults error: GraphStoreError) -> Diagnostic {
    var result = DiagnosticMapper.diagnostic(error)
    if error.code == .invalidHaving, let cause = error.underlying as? QueryPredicateError,
      let having = selection?.having, let offset = cause.offset
    {
      result.cause = nil
      result.source = Diagnostic.Source(
        label: having.label, text: having.text, offset: offset, length: cause.length)
    } else if let name = error.property,
      let entry = selection?.entries.last(where: { $0.property.name == name })
    {
      result.source = Diagnostic.Source(
        label: entry.label, text: entry.text, offset: 0, length: entry.text.utf8.count)
    } else if let sort, let name = error.property,
      let key = request.sortDescriptors.first(where: { $0.keyText == name }), let range = key.sourceRange
    {
      result.source = Diagnostic.Source(
        label: "--sort", text: sort, offset: range.offset, length: range.length)
    }
    result.hints = result.hints.map(Self.optionWords)
    result.message = Self.optionWords(result.message)
    return result
  }

  /// Names of the library's options as those of the command.
  private static func optionWords(_ text: String) -> String {
    [
      ("set propertiesToGroupBy", "give --group-by"), ("propertiesToGroupBy", "--group-by"),
      ("havingPredicate", "--having"), ("propertiesToFetch", "--fields"), ("use predicate", "use --where"),
    ].reduce(text) { $0.replacing($1.0, with: $1.1) }
  }
}

extension GraphStoreError.Code {
  /// Whether it says that results of a request cannot be made as asked for.
  var isOfResults: Bool {
    switch self {
    case .invalidProperty, .duplicateResultName, .groupByRequired, .groupByNeedsDictionaries, .invalidHaving,
      .invalidRequest, .valueOutOfRange:
      true
    default: false
    }
  }
}
