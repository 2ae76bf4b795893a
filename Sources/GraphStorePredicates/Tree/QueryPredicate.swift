/// A condition on objects: an immutable tree.
///
/// Predicates are equal when their trees are; the ranges of their parts in a text do not count, and an AND or
/// OR of one member is that member. ``all(of:)`` and ``any(of:)`` normalise when they are called, the cases
/// `and` and `or` when they are compared and printed.
///
/// Trees of more than 500 levels are refused where they are used. One made in code that nests tens of
/// thousands of levels deep cannot even be released: each level takes stack.
///
/// ```swift
/// let wellPaid = try QueryPredicate("salary > %@ AND name BEGINSWITH[c] %@", 50_000, "a")
/// let either = QueryPredicate.any(of: [wellPaid, .compare(.key("badge"), .equal, .null)])
/// var request = Employee.fetchRequest()
/// request.predicate = either
/// ```
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
  /// Conjunction of the passed predicates: TRUEPREDICATE for none, the predicate itself for one.
  public static func all(of predicates: [QueryPredicate]) -> QueryPredicate {
    switch predicates.count {
    case 0: .constant(true)
    case 1: predicates[0]
    default: .and(predicates)
    }
  }

  /// Disjunction of the passed predicates: FALSEPREDICATE for none, the predicate itself for one.
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

extension QueryPredicate {
  /// The member instead of a compound of one member, and the constant instead of one of none (PRD-008).
  var unwrapped: QueryPredicate {
    var predicate = self
    while true {
      switch predicate {
      case .and(let members) where members.count < 2:
        guard let only = members.first else { return .constant(true) }
        predicate = only
      case .or(let members) where members.count < 2:
        guard let only = members.first else { return .constant(false) }
        predicate = only
      default: return predicate
      }
    }
  }

  /// The operand under all negations at the top, and how many there are.
  var withoutNegations: (operand: QueryPredicate, count: Int) {
    var operand = unwrapped
    var count = 0
    while case .not(let inner) = operand {
      operand = inner.unwrapped
      count += 1
    }
    return (operand, count)
  }

  /// Whether both are the same tree; a compound of one member is that member, one of none a constant.
  public static func == (left: QueryPredicate, right: QueryPredicate) -> Bool {
    let (first, firstNegations) = left.withoutNegations
    let (second, secondNegations) = right.withoutNegations
    guard firstNegations == secondNegations else { return false }
    switch (first, second) {
    case (.constant(let left), .constant(let right)): return left == right
    case (.comparison(let left), .comparison(let right)): return left == right
    case (.and(let left), .and(let right)): return left == right
    case (.or(let left), .or(let right)): return left == right
    case (.block(let left), .block(let right)): return left == right
    default: return false
    }
  }

  /// Feeds what `==` compares.
  public func hash(into hasher: inout Hasher) {
    let (operand, negations) = withoutNegations
    hasher.combine(negations)
    switch operand {
    case .constant(let value): hasher.combine(value)
    case .comparison(let comparison): hasher.combine(comparison)
    case .and(let members):
      hasher.combine(0)
      hasher.combine(members)
    case .or(let members):
      hasher.combine(1)
      hasher.combine(members)
    case .block(let block): hasher.combine(block)
    case .not: break
    }
  }
}
