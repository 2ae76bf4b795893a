import Foundation
import GraphStorePredicates

/// Condition on the objects of a class, made of its typed keys.
///
/// It is combined with `&&`, `||` and `!`, and passed to a request of the class:
///
/// ```swift
/// typealias Keys = Employee.Keys
/// let wellPaid = Keys.salary > 50_000
/// let request = FetchRequest(where: wellPaid && !Keys.name.beginsWith("A"))
/// ```
public struct TypedPredicate<Object: ManagedObject>: Hashable, Sendable {
  /// The condition without its class: the tree that a text would be parsed to.
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

/// One key of an order of the objects of a class.
///
/// Keys make them:
///
/// ```swift
/// var request = Employee.fetchRequest()
/// request.sort(by: Employee.Keys.department.name.ascending, Employee.Keys.salary.descending)
/// let employees = try context.fetch(request)
/// ```
public struct TypedSortDescriptor<Object: ManagedObject>: Hashable, Sendable {
  /// The descriptor without its class.
  public let querySortDescriptor: QuerySortDescriptor

  init(_ querySortDescriptor: QuerySortDescriptor) { self.querySortDescriptor = querySortDescriptor }

  /// The descriptor with the opposite order.
  public var reversed: Self { Self(querySortDescriptor.reversed) }

  /// The same order, with objects that have no value at another place.
  ///
  /// ```swift
  /// var request = Employee.fetchRequest()
  /// request.sort(by: Employee.Keys.salary.ascending.placingNils(.last))
  /// ```
  public func placingNils(_ placement: QuerySortDescriptor.NilPlacement) -> Self {
    Self(querySortDescriptor.placingNils(placement))
  }
}

extension QuerySortDescriptor {
  /// The descriptor of a typed one.
  public init<Object>(_ descriptor: TypedSortDescriptor<Object>) { self = descriptor.querySortDescriptor }
}

/// Orders by expressions that have one value for each object.
extension TypedExpression where PathScope: SingleQueryScope {
  /// Small values first, and objects without a value before them.
  public var ascending: TypedSortDescriptor<PathScope.Object> { sorted(ascending: true, .compare) }

  /// Great values first, and objects without a value after them.
  public var descending: TypedSortDescriptor<PathScope.Object> { sorted(ascending: false, .compare) }

  fileprivate func sorted(
    ascending: Bool, _ comparator: QuerySortDescriptor.Comparator
  ) -> TypedSortDescriptor<PathScope.Object> {
    TypedSortDescriptor(
      QuerySortDescriptor(keyPath: queryPath.keyPath, ascending: ascending, comparator: comparator))
  }
}

extension TypedExpression where PathScope: SingleQueryScope, PathResult == String {
  /// Small texts first, as a comparator says.
  public func ascending(
    _ comparator: QuerySortDescriptor.Comparator
  ) -> TypedSortDescriptor<PathScope.Object> { sorted(ascending: true, comparator) }

  /// Great texts first, as a comparator says.
  public func descending(
    _ comparator: QuerySortDescriptor.Comparator
  ) -> TypedSortDescriptor<PathScope.Object> { sorted(ascending: false, comparator) }
}

/// Objects in memory, filtered and sorted by their keys.
extension Sequence where Element: ManagedObject {
  /// The objects that satisfy a condition, in two-valued logic, and in their order.
  ///
  /// - Throws: as `filtered(by:variables:options:)` of a ``/GraphStorePredicates/QueryPredicate``.
  public func filtered(by condition: TypedPredicate<Element>) throws -> [Element] {
    try filtered(by: condition.queryPredicate)
  }

  /// The objects in an order by keys; the sort is stable.
  ///
  /// - Throws: as `sorted(using:locale:)` of ``/GraphStorePredicates/QuerySortDescriptor``s.
  public func sorted(by order: TypedSortDescriptor<Element>...) throws -> [Element] {
    try sorted(using: order.map(\.querySortDescriptor))
  }
}
