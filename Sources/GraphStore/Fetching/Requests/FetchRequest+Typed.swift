import Foundation
import GraphStorePredicates

/// Conditions and orders that the compiler checks.
extension FetchRequest {
  /// Makes a request for the objects of a class that satisfy a condition on its keys.
  ///
  /// ```swift
  /// typealias Keys = Employee.Keys
  /// let request = FetchRequest(where: Keys.salary > 50_000, sortedBy: Keys.name.ascending)
  /// ```
  public init(
    where condition: TypedPredicate<Object>, sortedBy order: TypedSortDescriptor<Object>...,
    fetchLimit: Int = 0, fetchOffset: Int = 0
  ) {
    self.init(
      predicate: condition.queryPredicate, sortDescriptors: order.map(\.querySortDescriptor),
      fetchLimit: fetchLimit, fetchOffset: fetchOffset)
  }

  /// Makes a request for all objects of a class in an order by its keys.
  public init(
    sortedBy first: TypedSortDescriptor<Object>, _ further: TypedSortDescriptor<Object>...,
    fetchLimit: Int = 0, fetchOffset: Int = 0
  ) {
    self.init(
      sortDescriptors: ([first] + further).map(\.querySortDescriptor), fetchLimit: fetchLimit,
      fetchOffset: fetchOffset)
  }

  /// Makes a request of a predicate and sort descriptors of Foundation.
  ///
  /// ```swift
  /// let request = try FetchRequest(
  ///   where: #Predicate<Employee> { $0.salary > 50_000 }, sortedBy: [SortDescriptor(\.name)])
  /// ```
  ///
  /// - Throws: `unsupported-syntax`, `unsupported-sort` and `unknown-key` for what a request cannot say.
  public init(
    where predicate: Predicate<Object>, sortedBy order: [SortDescriptor<Object>] = [], fetchLimit: Int = 0,
    fetchOffset: Int = 0
  ) throws(QueryPredicateError) {
    self.init(
      predicate: try QueryPredicate(predicate), sortDescriptors: try Self.translated(order),
      fetchLimit: fetchLimit, fetchOffset: fetchOffset)
  }

  /// Replaces the condition by one on the keys of the class.
  public mutating func select(
    where condition: TypedPredicate<Object>
  ) { predicate = condition.queryPredicate }

  /// Replaces the condition by a predicate of Foundation.
  ///
  /// - Throws: `unsupported-syntax` and `unknown-key` for what a request cannot say; the condition stays as
  ///   it is then.
  public mutating func select(where predicate: Predicate<Object>) throws(QueryPredicateError) {
    self.predicate = try QueryPredicate(predicate)
  }

  /// Replaces the order by one by the keys of the class.
  public mutating func sort(by order: TypedSortDescriptor<Object>...) {
    sortDescriptors = order.map(\.querySortDescriptor)
  }

  /// Replaces the order by sort descriptors of Foundation.
  ///
  /// - Throws: `unsupported-sort` and `unknown-key` for what a request cannot say; the order stays as it is
  ///   then.
  public mutating func sort(by order: [SortDescriptor<Object>]) throws(QueryPredicateError) {
    sortDescriptors = try Self.translated(order)
  }

  private static func translated(
    _ order: [SortDescriptor<Object>]
  ) throws(QueryPredicateError) -> [QuerySortDescriptor] {
    var descriptors: [QuerySortDescriptor] = []
    for descriptor in order { descriptors.append(try QuerySortDescriptor(descriptor)) }
    return descriptors
  }
}
