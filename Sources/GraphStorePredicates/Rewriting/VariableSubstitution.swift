extension QueryPredicate {
  /// The predicate with every free variable replaced by its value; never parses text.
  ///
  /// Names that are not variables of the predicate are ignored, and parts without variables are shared.
  /// Throws `unbound-variable`, naming all variables without a value with the range of the first,
  /// `argument-type` where a value would have to name a key and does not, and `bad-cast` where a value cannot
  /// be cast as the predicate says.
  public func substituting(_ values: [String: Value]) throws(QueryPredicateError) -> QueryPredicate {
    try substituting(values, keeping: [])
  }

  /// As `substituting`, but with some variables kept.
  package func substituting(
    _ values: [String: Value], keeping kept: [String]
  ) throws(QueryPredicateError) -> QueryPredicate {
    try withLargeStack(nesting: TreeDepth.depth(of: self)) { () throws(QueryPredicateError) in
      var substitution = VariableSubstitution(values: values, keeping: kept)
      let substituted = try substitution.apply(self)
      try substitution.requireAll(subject: predicateFormat)
      return substituted ?? self
    }
  }

  /// The predicate with every free variable replaced by its value.
  public func substituting(_ values: [String: any ValueConvertible]) throws(QueryPredicateError)
    -> QueryPredicate
  {
    try substituting(values.mapValues(\.queryValue))
  }
}

extension QueryExpression {
  /// The expression with every free variable replaced by its value, as `substituting` of a predicate.
  public func substituting(_ values: [String: Value]) throws(QueryPredicateError) -> QueryExpression {
    try withLargeStack(nesting: TreeDepth.depth(of: self)) { () throws(QueryPredicateError) in
      var substitution = VariableSubstitution(values: values)
      let substituted = try substitution.apply(self)
      try substitution.requireAll(subject: expressionFormat)
      return substituted ?? self
    }
  }

  /// The expression with every free variable replaced by its value.
  public func substituting(_ values: [String: any ValueConvertible]) throws(QueryPredicateError)
    -> QueryExpression
  {
    try substituting(values.mapValues(\.queryValue))
  }
}

/// Replaces variables by values; parts without variables yield nil.
private struct VariableSubstitution {
  let values: [String: Value]
  private var bound: [String]
  private var missing: [String] = []
  private var firstMissing: SourceRange?

  init(values: [String: Value], keeping bound: [String] = []) {
    self.values = values
    self.bound = bound
  }

  func requireAll(subject: @autoclosure () -> String) throws(QueryPredicateError) {
    guard let first = missing.first else { return }
    let list = missing.map { "$" + $0 }.joined(separator: ", ")
    throw QueryPredicateError(
      .unboundVariable, "No value is given for \(list).", range: firstMissing,
      suggestions: NearestNames.names(near: first, among: values.keys.sorted()), subject: subject())
  }

  private mutating func value(_ name: String, _ range: SourceRange?) -> Value? {
    guard !bound.contains(name) else { return nil }
    if let value = values[name] { return value }
    if missing.isEmpty { firstMissing = range }
    if !missing.contains(name) { missing.append(name) }
    return nil
  }

  mutating func apply(_ predicate: QueryPredicate) throws(QueryPredicateError) -> QueryPredicate? {
    try predicate.rewritingParts(
      expression: { part throws(QueryPredicateError) in try apply(part) },
      predicate: { part throws(QueryPredicateError) in try apply(part) })
  }

  mutating func apply(_ expression: QueryExpression) throws(QueryPredicateError) -> QueryExpression? {
    switch expression.kind {
    case .variable(let name):
      guard let value = value(name, expression.sourceRange) else { return nil }
      return QueryExpression(.constant(value), sourceRange: expression.sourceRange)
    case .keyPath(let path): return try apply(path, at: expression.sourceRange)
    case .subquery(let collection, let variable, let predicate):
      let newCollection = try apply(collection)
      bound.append(variable)
      let newPredicate = try apply(predicate)
      bound.removeLast()
      guard newCollection != nil || newPredicate != nil else { return nil }
      return QueryExpression(
        .subquery(
          collection: newCollection ?? collection, variable: variable, predicate: newPredicate ?? predicate),
        sourceRange: expression.sourceRange)
    default:
      let substituted = try expression.rewritingParts(
        expression: { part throws(QueryPredicateError) in try apply(part) },
        predicate: { part throws(QueryPredicateError) in try apply(part) })
      if let substituted, substituted.isBadCast, case .cast(let operand, let type) = substituted.kind {
        throw .badCast(operand, type, at: operand.sourceRange ?? expression.sourceRange)
      }
      return substituted
    }
  }

  private mutating func apply(
    _ path: QueryKeyPath, at range: SourceRange?
  ) throws(QueryPredicateError) -> QueryExpression? {
    var base: QueryExpression?
    if let written = path.base { base = try apply(written) }
    let steps = try steps(path.steps, at: range)
    guard base != nil || steps != nil else { return nil }
    return QueryExpression(
      .keyPath(QueryKeyPath(base: base ?? path.base, steps: steps ?? path.steps)), sourceRange: range)
  }

  private mutating func steps(
    _ steps: [QueryKeyPath.Step], at range: SourceRange?
  ) throws(QueryPredicateError) -> [QueryKeyPath.Step]? {
    var substituted: [QueryKeyPath.Step] = []
    var isChanged = false
    for step in steps {
      guard case .variable(let name) = step, let value = value(name, range) else {
        substituted.append(step)
        continue
      }
      guard case .string(let text) = value, let named = QueryKeyPath.steps(parsing: text) else {
        throw QueryPredicateError(
          .argumentType, "The variable $\(name) stands for a key, but \(value.literal) is no key path.",
          range: range, subject: "$" + name)
      }
      isChanged = true
      substituted += named
    }
    return isChanged ? substituted : nil
  }
}
