/// A condition on objects: an immutable tree.
///
/// Predicates are equal when their trees are; where their parts stood in a text does not count, and an AND or OR
/// of one member is that member. ``all(of:)`` and ``any(of:)`` normalise when they are called, the cases `and` and
/// `or` when they are compared and printed.
///
/// Trees of more than 500 levels are refused where they are used. One made in code that nests tens of thousands of
/// levels deep cannot even be released: each level takes stack.
public indirect enum QueryPredicate: Hashable, Sendable {
  /// True or false for every object.
  case constant(Bool)
  /// A comparison of two expressions.
  case comparison(QueryComparison)
  /// True when every member is.
  case and([QueryPredicate])
  /// True when a member is.
  case or([QueryPredicate])
  /// True when the operand is false.
  case not(QueryPredicate)
  /// A closure, evaluated in memory only.
  case block(PredicateBlock)
}

extension QueryPredicate {
  /// All of the given predicates: TRUEPREDICATE for none, the predicate itself for one.
  public static func all(of predicates: [QueryPredicate]) -> QueryPredicate {
    switch predicates.count {
    case 0: .constant(true)
    case 1: predicates[0]
    default: .and(predicates)
    }
  }

  /// Any of the given predicates: FALSEPREDICATE for none, the predicate itself for one.
  public static func any(of predicates: [QueryPredicate]) -> QueryPredicate {
    switch predicates.count {
    case 0: .constant(false)
    case 1: predicates[0]
    default: .or(predicates)
    }
  }

  /// The opposite of a predicate.
  public static func negating(_ predicate: QueryPredicate) -> QueryPredicate {
    .not(predicate)
  }

  /// A comparison of two expressions.
  public static func compare(
    _ left: QueryExpression, _ comparator: QueryComparison.Operator, _ right: QueryExpression,
    options: QueryComparison.Options = [], modifier: QueryComparison.Modifier = .direct
  ) -> QueryPredicate {
    .comparison(
      QueryComparison(
        left: left, modifier: modifier, comparator: comparator, options: options, right: right))
  }
}
