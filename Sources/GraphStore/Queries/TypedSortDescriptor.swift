import GraphStorePredicates

/// One key of an order of the objects of a class.
public struct TypedSortDescriptor<Object: ManagedObject>: Hashable, Sendable {
  /// The same descriptor without its class.
  public let querySortDescriptor: QuerySortDescriptor

  init(_ querySortDescriptor: QuerySortDescriptor) { self.querySortDescriptor = querySortDescriptor }

  /// The same order the other way round.
  public var reversed: Self { Self(querySortDescriptor.reversed) }
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
