import GraphStorePredicates

extension ResultChecker {
  /// The condition on groups over the leaves.
  mutating func condition(_ having: QueryPredicate) throws -> QueryPredicate {
    do {
      let plain = try (replacingNames(in: having) ?? having)
        .substituting(variables, keeping: query.expansions.map(\.variable))
      let checked = try checker.check(plain)
      try check(aggregatesIn: checked)
      return try rewritten(checked) ?? checked
    } catch let error as Ungrouped {
      let text = error.part.description
      throw invalidHaving(
        QueryPredicateError(
          .invalidHaving,
          "\(text) may differ among the rows of a group, so a condition on groups cannot use it.",
          range: error.part.sourceRange, hint: havingHint, subject: text))
    } catch var error as QueryPredicateError where error.code == .unknownKey {
      let names = named.map(\.name)
      error.code = .invalidHaving
      error.suggestions = NearestNames.names(near: error.subject ?? "", among: names) + error.suggestions
      error.hint = error.hint ?? havingHint
      throw invalidHaving(error)
    }
  }

  private var havingHint: String {
    "Use what is grouped by, aggregates of keys, or the results: "
      + ((query.groupTexts + named.map(\.name)).uniqued.joined(separator: ", ")) + "."
  }

  private func invalidHaving(_ cause: QueryPredicateError) -> GraphStoreError {
    var error = GraphStoreError(
      .invalidHaving, cause.message, remedy: cause.hint ?? havingHint, entity: entity.name,
      property: cause.subject, underlying: cause)
    error.suggestions = cause.suggestions
    return error
  }

  private func check(aggregatesIn predicate: QueryPredicate) throws {
    switch predicate {
    case .constant, .block: return
    case .not(let operand): try check(aggregatesIn: operand)
    case .and(let parts), .or(let parts): for part in parts { try check(aggregatesIn: part) }
    case .comparison(let comparison):
      for side in [comparison.left, comparison.right] {
        try check(aggregatesIn: side, of: side.description)
      }
    }
  }

  /// The names of results replaced by their expressions, except in arguments of aggregates; nil where there
  /// are none.
  private func replacingNames(in predicate: QueryPredicate) throws -> QueryPredicate? {
    try predicate.rewritingParts(
      expression: { try replacingNames(in: $0) }, predicate: { try replacingNames(in: $0) })
  }

  private func replacingNames(in expression: QueryExpression) throws -> QueryExpression? {
    switch expression.kind {
    case .variable(let name): return result(named: name, at: expression.sourceRange)
    case .keyPath(let path):
      guard let keys = path.plainKeys else { return nil }
      return result(named: keys.joined(separator: "."), at: expression.sourceRange)
    case .function(let function, let arguments)
    where AggregateFunction(function, calledWith: arguments) != nil: return nil
    case .subquery: return nil
    default:
      return try expression.rewritingParts(
        expression: { try replacingNames(in: $0) }, predicate: { try replacingNames(in: $0) })
    }
  }

  private func result(named name: String, at range: SourceRange?) -> QueryExpression? {
    named.first { $0.name == name }.map { QueryExpression($0.expression.kind, sourceRange: range) }
  }
}

extension [String] {
  /// The members without repetition, in order.
  fileprivate var uniqued: [String] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension QueryPredicateError.Code {
  /// A condition on groups that reads single rows.
  public static let invalidHaving = Self(rawValue: "invalid-having")
}
