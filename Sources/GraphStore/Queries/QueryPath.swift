import GraphStorePredicates

/// Way of a typed expression from the object under test: relationships under quantifiers, then keys.
public struct QueryPath: Hashable, Sendable {
  /// Relationships that a quantifier stands over.
  private struct Stretch: Hashable {
    var steps: [QueryKeyPath.Step]
    var quantifier: Quantifier
  }

  private var stretches: [Stretch] = []
  private var base: QueryExpression?
  private var steps: [QueryKeyPath.Step] = []

  /// The object under test.
  init() {}

  /// A property of the object under test.
  init(_ name: String) { steps = [.key(name)] }

  /// What an expression yields, or what a collection operator makes of it.
  init(base: QueryExpression, steps: [QueryKeyPath.Step]) {
    self.base = base
    self.steps = steps
  }

  func appending(_ name: String) -> QueryPath { appending([.key(name)]) }

  func appending(_ further: [QueryKeyPath.Step]) -> QueryPath {
    var path = self
    path.steps += further
    return path
  }

  /// The chain of keys of an expression without quantifiers.
  var keyPath: QueryKeyPath { QueryKeyPath(base: base, steps: stretches.flatMap(\.steps) + steps) }

  /// The expression, when no quantifier stands over it.
  var expression: QueryExpression { QueryExpression(.keyPath(keyPath)) }

  /// The members of the relationship in which the path ends, under a quantifier.
  ///
  /// Two quantifiers that mean the same as one over the members of all members become that one.
  func quantified(_ quantifier: Quantifier) -> QueryPath {
    var path = self
    path.steps = []
    switch (stretches.last?.quantifier, quantifier) {
    case (.any, .any), (.all, .all), (.none?, .any):
      path.stretches[stretches.count - 1].steps += steps
    case (.all, .none):
      path.stretches[stretches.count - 1].steps += steps
      path.stretches[stretches.count - 1].quantifier = .none
    default:
      path.stretches.append(Stretch(steps: steps, quantifier: quantifier))
    }
    return path
  }

  /// The comparison of the expression with another, under the quantifiers.
  func compare(
    _ comparator: QueryComparison.Operator, _ right: QueryExpression, options: QueryComparison.Options = []
  ) -> QueryPredicate {
    guard let first = stretches.first else {
      return .compare(expression, comparator, right, options: options)
    }
    var member = self
    member.stretches.removeFirst()
    member.base = nil
    return .quantified(
      first.quantifier, over: QueryExpression(.keyPath(QueryKeyPath(base: base, steps: first.steps))),
      ofMember: { member.expressionOfMember($0, comparator, right, options) })
  }

  /// The comparison with this as the path from a member.
  private func expressionOfMember(
    _ member: QueryExpression, _ comparator: QueryComparison.Operator, _ right: QueryExpression,
    _ options: QueryComparison.Options
  ) -> QueryPredicate {
    var path = self
    path.base = member
    return path.compare(comparator, right, options: options)
  }
}
