extension PredicateCompiler {
  /// The comparison of a key with a constant in the form that an object can apply to its field; nil for every
  /// other comparison.
  func fieldComparison(
    _ comparison: QueryComparison, constant: Value?, rule: ComparisonRule
  ) throws(QueryPredicateError) -> PredicateNode? {
    guard let constant, case .keyPath(let path) = comparison.left.kind, let key = path.lastPlainKey,
      !path.isEntityName
    else {
      return nil
    }
    if comparison.comparator == .between { return try rangeOfField(comparison, constant) }
    let pass = EvaluationPass(options: options, variables: variables, slotCount: 0)
    guard let test = try FieldTest(comparison, constant: constant, rule: rule, pass: pass) else { return nil }
    return FieldComparisonNode(
      owner: try path.owner.map(compile), key: key, range: comparison.left.sourceRange, test, rule,
      bound: .value(constant))
  }

  /// `BETWEEN` as one comparison for each bound.
  private func rangeOfField(_ comparison: QueryComparison, _ constant: Value) throws(QueryPredicateError)
    -> PredicateNode?
  {
    guard case .list(let bounds) = constant, bounds.count == 2,
      let lower = try bound(of: comparison, comparator: .greaterOrEqual, value: bounds[0]),
      let upper = try bound(of: comparison, comparator: .lessOrEqual, value: bounds[1])
    else { return nil }
    return ConnectiveNode([lower, upper], isAnd: true)
  }

  private func bound(
    of range: QueryComparison, comparator: QueryComparison.Operator, value: Value
  ) throws(QueryPredicateError) -> PredicateNode? {
    let comparison = QueryComparison(
      left: range.left, comparator: comparator, options: range.options,
      right: QueryExpression(.constant(value)))
    let rule = try rule(for: comparison, left: ExpressionNode(), right: ConstantNode(value))
    return try fieldComparison(comparison, constant: value, rule: rule)
  }
}

extension QueryKeyPath {
  /// The last of the keys, when the chain holds nothing but keys.
  fileprivate var lastPlainKey: String? {
    var last: String?
    for step in steps {
      guard case .key(let key) = step else { return nil }
      last = key
    }
    return last == "self" ? nil : last
  }

  /// The owner of the last step's key; nil is the object under test.
  fileprivate var owner: QueryExpression? {
    if steps.count == 1 { return base }
    return QueryExpression(.keyPath(QueryKeyPath(base: base, steps: Array(steps.dropLast()))))
  }
}
