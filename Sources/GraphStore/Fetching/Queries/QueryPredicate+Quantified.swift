import GraphStorePredicates

/// Conditions on the members of a collection: a quantifier before one comparison, else a sub-query (PRD-137).
extension QueryPredicate {
  /// A condition on the members of a collection.
  ///
  /// - Parameter test: the condition on a member, of the expression that represents it.
  static func quantified(
    _ quantifier: Quantifier, over collection: QueryExpression,
    ofMember test: (QueryExpression) -> QueryPredicate
  ) -> QueryPredicate {
    var taken = collection.boundNames
    // Names that the test binds itself are known once it is made.
    taken.formUnion(test(.variable("x")).boundNames)
    let name = variable(besides: taken)
    return quantified(quantifier, over: collection, variable: name, test: test(.variable(name)))
  }

  /// A condition on the members of a collection, each of which a variable represents.
  static func quantified(
    _ quantifier: Quantifier, over collection: QueryExpression, variable: String, test: QueryPredicate
  ) -> QueryPredicate {
    if let comparison = test.comparison(of: variable, over: collection, quantifier) { return comparison }
    let count = QueryExpression.members(of: collection, variable: variable, where: test).count
    return switch quantifier {
    case .any: .compare(count, .greater, .constant(0))
    case .all: .compare(count, .equal, collection.count)
    case .none: .compare(count, .equal, .constant(0))
    }
  }

  /// The first of `x`, `x1`, `x2` … that is not taken.
  fileprivate static func variable(besides taken: Set<String>) -> String {
    var number = 0
    while true {
      let name = number == 0 ? "x" : "x\(number)"
      if !taken.contains(name) { return name }
      number += 1
    }
  }

  /// One comparison of a value of the member, or of values under the same quantifier, as a comparison of the
  /// collection's values under the quantifier.
  private func comparison(
    of variable: String, over collection: QueryExpression, _ quantifier: Quantifier
  ) -> QueryPredicate? {
    let modifier: QueryComparison.Modifier = quantifier == .all ? .all : .any
    guard case .comparison(let test) = self, test.modifier == .direct || test.modifier == modifier,
      let left = test.left.chain(from: variable, over: collection), !test.right.mentions(variable)
    else { return nil }
    let comparison = QueryComparison(
      left: left, modifier: modifier, comparator: test.comparator,
      options: test.options, right: test.right)
    return quantifier == .none ? .not(.comparison(comparison)) : .comparison(comparison)
  }

  /// The names that sub-queries bind.
  fileprivate var boundNames: Set<String> {
    var names: Set<String> = []
    _ = mapExpressions { expression in
      if case .subquery(_, let name, _) = expression.kind { names.insert(name) }
      return expression
    }
    return names
  }

  /// The predicate with the object under test replaced by another expression.
  func rebased(on object: QueryExpression) -> QueryPredicate {
    mapExpressions { expression in
      switch expression.kind {
      case .evaluatedObject: object
      case .keyPath(let path) where path.base == nil:
        QueryExpression(.keyPath(QueryKeyPath(base: object, steps: path.steps)))
      default: expression
      }
    }
  }
}

extension QueryExpression {
  /// The members of a collection for which a predicate is true.
  static func members(
    of collection: QueryExpression, variable: String, where test: QueryPredicate
  ) -> QueryExpression {
    QueryExpression(.subquery(collection: collection, variable: variable, predicate: test))
  }

  /// The members of a collection for which a predicate is true when they are the object under test.
  static func members(of collection: QueryExpression, where test: QueryPredicate) -> QueryExpression {
    let name = QueryPredicate.variable(besides: collection.boundNames.union(test.boundNames))
    return members(of: collection, variable: name, where: test.rebased(on: .variable(name)))
  }

  /// The number of members of the collection.
  var count: QueryExpression {
    QueryExpression(.keyPath(QueryKeyPath(base: self, steps: [.collectionOperator("count")])))
  }

  fileprivate var boundNames: Set<String> {
    QueryPredicate.compare(self, .equal, .null).boundNames
  }

  /// Whether a variable is part of the expression.
  fileprivate func mentions(_ variable: String) -> Bool { names.variables.contains(variable) }

  /// The chain of plain keys from a variable as one from a collection whose member the variable is.
  fileprivate func chain(from variable: String, over collection: QueryExpression) -> QueryExpression? {
    switch kind {
    case .variable(variable): return collection
    case .keyPath(let path):
      guard path.base == .variable(variable),
        path.steps.allSatisfy({ if case .key = $0 { true } else { false } })
      else { return nil }
      return QueryExpression(.keyPath(QueryKeyPath(base: collection, steps: path.steps)))
    default: return nil
    }
  }
}
