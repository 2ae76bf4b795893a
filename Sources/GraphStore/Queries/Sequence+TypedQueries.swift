import Foundation
import GraphStorePredicates

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
