import GraphStoreModel
import GraphStorePredicates

extension ResultChecker {
  /// A part of an expression that may differ among the rows of a group.
  private struct Ungrouped: Error {
    var part: QueryExpression
  }

  /// Cuts the results into leaves and what is computed of these.
  mutating func addResults() throws {
    var offending: [String] = []
    for result in named {
      var expression = result.expression
      if query.isGrouped {
        do {
          expression = try overLeaves(result.expression)
        } catch is Ungrouped {
          offending.append(result.name)
          continue
        }
      } else {
        expression = leaf(.init(role: .value, expression: result.expression, type: result.type))
      }
      var added = ResultQuery.Result(name: result.name, expression: expression, type: result.type)
      added.attribute = result.attribute
      added.conversion = result.conversion
      if let aggregate = try RowAggregate(result.expression, checker) { added.type = aggregate.outcome }
      added.isSum = Self.isSum(result.expression)
      added.range = result.expression.sourceRange
      query.results.append(added)
    }
    guard let first = offending.first else { return }
    let names = offending.joined(separator: ", ")
    guard query.isTotal else {
      throw groupByRequired(
        "SELECT clauses in queries with GROUP BY components can only contain properties named in the GROUP BY or "
          + "aggregate functions (\(names)).", remedy: "Group by \(names) too, or aggregate.", first)
    }
    throw groupByRequired(
      "Aggregates stand beside values of single rows: \(names).",
      remedy: "Group by \(names), or leave \(offending.count == 1 ? "it" : "them") out.", first)
  }

  private static func isSum(_ expression: QueryExpression) -> Bool {
    switch expression.kind {
    case .function(.sum, _): true
    case .keyPath(let path): path.steps.contains(.collectionOperator("sum"))
    default: false
    }
  }

  /// The key of a leaf, which is added where it is not there.
  private mutating func leaf(_ leaf: ResultQuery.Leaf) -> QueryExpression {
    if let known = query.leaves.firstIndex(of: leaf) { return ResultQuery.leaf(known) }
    query.leaves.append(leaf)
    return ResultQuery.leaf(query.leaves.count - 1)
  }

  /// An expression over the leaves: what groups have in common and aggregates become leaves.
  private mutating func overLeaves(_ expression: QueryExpression) throws -> QueryExpression {
    try rewritten(expression) ?? expression
  }

  private mutating func rewritten(_ expression: QueryExpression) throws -> QueryExpression? {
    if let key = query.leaves[..<query.keyCount].firstIndex(where: { $0.expression == expression }) {
      return ResultQuery.leaf(key)
    }
    if let aggregate = try RowAggregate(expression, checker) {
      return leaf(
        .init(
          role: .aggregate(aggregate.function, isDistinct: aggregate.isDistinct),
          expression: aggregate.argument, type: aggregate.type))
    }
    switch expression.kind {
    case .evaluatedObject, .keyPath, .subquery, .variable, .fetch, .block: throw Ungrouped(part: expression)
    default: break
    }
    var copy = self
    let result = try expression.rewritingParts(
      expression: { try copy.rewritten($0) }, predicate: { try copy.rewritten($0) })
    self = copy
    return result
  }

  private mutating func rewritten(_ predicate: QueryPredicate) throws -> QueryPredicate? {
    var copy = self
    let result = try predicate.rewritingParts(
      expression: { try copy.rewritten($0) }, predicate: { try copy.rewritten($0) })
    self = copy
    return result
  }

  // MARK: Condition on groups

  /// The condition on groups over the leaves.
  mutating func condition(_ having: QueryPredicate) throws -> QueryPredicate {
    do {
      let plain = try replacingNames(in: having) ?? having
      let checked = try checker.check(try plain.substituting(variables))
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
    case .function(let function, let arguments) where function.isAggregate && arguments.count == 1: return nil
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
