extension QueryPredicate {
  /// The predicate with every free variable replaced by its value; never parses text.
  ///
  /// Names that are not variables of the predicate are ignored. Throws `unbound-variable`, naming all variables
  /// without a value, and `argument-type` where a value would have to name a key and does not.
  public func substituting(_ values: [String: Value]) throws(QueryPredicateError) -> QueryPredicate {
    try VariableSubstitution.check(names.variables, values, subject: predicateFormat)
    return try VariableSubstitution(values: values).apply(self)
  }

  /// The predicate with every free variable replaced by its value.
  public func substituting(_ values: [String: any ValueConvertible]) throws(QueryPredicateError)
    -> QueryPredicate
  {
    try substituting(values.mapValues(\.queryValue))
  }
}

extension QueryExpression {
  /// The expression with every free variable replaced by its value, as ``QueryPredicate/substituting(_:)``.
  public func substituting(_ values: [String: Value]) throws(QueryPredicateError) -> QueryExpression {
    try VariableSubstitution.check(names.variables, values, subject: expressionFormat)
    return try VariableSubstitution(values: values).apply(self)
  }
}

private struct VariableSubstitution {
  let values: [String: Value]
  var bound: [String] = []

  static func check(
    _ variables: [String], _ values: [String: Value], subject: @autoclosure () -> String
  ) throws(QueryPredicateError) {
    let missing = variables.filter { values[$0] == nil }
    guard !missing.isEmpty else { return }
    let list = missing.map { "$" + $0 }.joined(separator: ", ")
    throw QueryPredicateError(
      .unboundVariable, "No value is given for \(list).",
      suggestions: NearestNames.names(near: missing[0], among: values.keys.sorted()), subject: subject())
  }

  private func value(_ name: String) -> Value? {
    bound.contains(name) ? nil : values[name]
  }

  func apply(_ predicate: QueryPredicate) throws(QueryPredicateError) -> QueryPredicate {
    guard !predicate.names.variables.isEmpty else { return predicate }
    switch predicate {
    case .constant, .block: return predicate
    case .comparison(let comparison):
      return .comparison(
        QueryComparison(
          left: try apply(comparison.left), modifier: comparison.modifier,
          comparator: comparison.comparator, options: comparison.options,
          right: try apply(comparison.right), operatorRange: comparison.operatorRange))
    case .and(let members): return .and(try apply(members))
    case .or(let members): return .or(try apply(members))
    case .not(let operand): return .not(try apply(operand))
    }
  }

  private func apply(_ members: [QueryPredicate]) throws(QueryPredicateError) -> [QueryPredicate] {
    var substituted: [QueryPredicate] = []
    substituted.reserveCapacity(members.count)
    for member in members { substituted.append(try apply(member)) }
    return substituted
  }

  func apply(_ expression: QueryExpression) throws(QueryPredicateError) -> QueryExpression {
    switch expression.kind {
    case .constant, .evaluatedObject, .block: return expression
    case .variable(let name):
      guard let value = value(name) else { return expression }
      return QueryExpression(.constant(value), sourceRange: expression.sourceRange)
    case .keyPath(let path):
      let base = try path.base.map { base throws(QueryPredicateError) in try apply(base) }
      return QueryExpression(
        .keyPath(QueryKeyPath(base: base, steps: try steps(path.steps))), sourceRange: expression.sourceRange)
    case .subquery(let collection, let variable, let predicate):
      var inner = self
      inner.bound.append(variable)
      return QueryExpression(
        .subquery(
          collection: try apply(collection), variable: variable, predicate: try inner.apply(predicate)),
        sourceRange: expression.sourceRange)
    default:
      return try expression.mapParts(
        expression: { part throws(QueryPredicateError) in try apply(part) },
        predicate: { part throws(QueryPredicateError) in try apply(part) })
    }
  }

  private func steps(_ steps: [QueryKeyPath.Step]) throws(QueryPredicateError) -> [QueryKeyPath.Step] {
    var substituted: [QueryKeyPath.Step] = []
    for step in steps {
      guard case .variable(let name) = step, let value = value(name) else {
        substituted.append(step)
        continue
      }
      guard case .string(let text) = value, let named = QueryKeyPath.steps(parsing: text) else {
        throw QueryPredicateError(
          .argumentType, "The variable $\(name) stands for a key, but \(value.literal) is no key path.")
      }
      substituted += named
    }
    return substituted
  }
}
