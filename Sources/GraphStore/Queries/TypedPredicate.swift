import GraphStorePredicates

/// Condition on the objects of a class, made of its typed keys.
///
/// It is combined with `&&`, `||` and `!`, and given to a request of the class:
///
/// ```swift
/// let wellPaid = Keys.salary > 50_000
/// let request = FetchRequest(where: wellPaid && !Keys.name.beginsWith("A"))
/// ```
public struct TypedPredicate<Object: ManagedObject>: Hashable, Sendable {
  /// The same condition without its class: the tree that a text would give.
  public let queryPredicate: QueryPredicate

  init(_ queryPredicate: QueryPredicate) { self.queryPredicate = queryPredicate }

  /// The condition that is true for every object, or for none.
  public static func constant(_ value: Bool) -> Self { Self(.constant(value)) }

  /// Whether both conditions are true. `a && b && c` is one AND of three.
  public static func && (left: Self, right: Self) -> Self {
    Self(.conjunction(left.queryPredicate, right.queryPredicate))
  }

  /// Whether one of the conditions is true. `a || b || c` is one OR of three.
  public static func || (left: Self, right: Self) -> Self {
    Self(.disjunction(left.queryPredicate, right.queryPredicate))
  }

  /// Whether the condition is false.
  public static prefix func ! (operand: Self) -> Self { Self(.not(operand.queryPredicate)) }
}

extension QueryPredicate {
  /// The condition of a typed predicate.
  public init<Object>(_ predicate: TypedPredicate<Object>) { self = predicate.queryPredicate }

  /// Both, as text without parentheses on the left is read.
  static func conjunction(_ left: QueryPredicate, _ right: QueryPredicate) -> QueryPredicate {
    if case .and(let members) = left { return .and(members + [right]) }
    return .and([left, right])
  }

  /// Either, as text without parentheses on the left is read.
  static func disjunction(_ left: QueryPredicate, _ right: QueryPredicate) -> QueryPredicate {
    if case .or(let members) = left { return .or(members + [right]) }
    return .or([left, right])
  }
}
