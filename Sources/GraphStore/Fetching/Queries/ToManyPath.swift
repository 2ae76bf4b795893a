import GraphStorePredicates

/// Path that ends in the members of a to-many relationship.
public struct ToManyPath<PathScope: QueryScope, PathDestination: ManagedObject>: ToManySteps, Sendable {
  /// The way from the object under test.
  public let queryPath: QueryPath

  init(_ queryPath: QueryPath) { self.queryPath = queryPath }
}

/// Keys and paths that lead to the members of a to-many.
public protocol ToManySteps<PathScope, PathDestination> {
  /// The class of the objects under test, and whether the path is under a quantifier.
  associatedtype PathScope: QueryScope
  /// The class of the members.
  associatedtype PathDestination: ManagedObject
  /// The way from the object under test.
  var queryPath: QueryPath { get }
}

/// Conditions on members one by one.
extension ToManySteps {
  /// A member, of which one must satisfy the comparison: `ANY`.
  public var any: ToOnePath<QuantifiedValues<PathScope.Object>, PathDestination> {
    ToOnePath(queryPath.quantified(.any))
  }

  /// A member, of which each must satisfy the comparison: `ALL`. True where there are no members.
  public var all: ToOnePath<QuantifiedValues<PathScope.Object>, PathDestination> {
    ToOnePath(queryPath.quantified(.all))
  }

  /// A member, of which none may satisfy the comparison: `NONE`.
  public var none: ToOnePath<QuantifiedValues<PathScope.Object>, PathDestination> {
    ToOnePath(queryPath.quantified(.none))
  }
}

/// Conditions on the members together, from one object.
extension ToManySteps where PathScope: SingleQueryScope {
  /// The number of members.
  public var count: ValuePath<PathScope, Int> {
    ValuePath(queryPath.appending([.collectionOperator("count")]))
  }

  /// Whether there are no members.
  public var isEmpty: TypedPredicate<PathScope.Object> { count == 0 }

  /// Whether an object is one of the members.
  public func contains(_ object: PathDestination) -> TypedPredicate<PathScope.Object> {
    contains(object.objectID)
  }

  /// Whether the object of an identifier is one of the members.
  public func contains(_ identifier: ManagedObjectID) -> TypedPredicate<PathScope.Object> {
    TypedPredicate(.compare(queryPath.expression, .contains, .constant(identifier)))
  }

  /// Whether one member satisfies a condition, which may have several parts.
  public func contains(where condition: TypedPredicate<PathDestination>) -> TypedPredicate<PathScope.Object> {
    quantified(.any, condition)
  }

  /// Whether all members satisfy a condition; true where there are no members.
  public func allSatisfy(_ condition: TypedPredicate<PathDestination>) -> TypedPredicate<PathScope.Object> {
    quantified(.all, condition)
  }

  /// The number of members that satisfy a condition.
  public func count(where condition: TypedPredicate<PathDestination>) -> ValuePath<PathScope, Int> {
    let members = QueryExpression.members(of: queryPath.expression, where: condition.queryPredicate)
    return ValuePath(QueryPath(base: members, steps: [.collectionOperator("count")]))
  }

  private func quantified(
    _ quantifier: Quantifier, _ condition: TypedPredicate<PathDestination>
  ) -> TypedPredicate<PathScope.Object> {
    TypedPredicate(
      .quantified(quantifier, over: queryPath.expression) {
        condition.queryPredicate.rebased(on: $0)
      })
  }
}

/// Aggregates over an attribute of the members (PRD-130).
extension ToManySteps where PathScope: SingleQueryScope {
  /// The sum of an attribute's values; 0 where there are no members.
  public func sum<Element: Numeric>(
    of key: AttributeKey<PathDestination, Element>
  ) -> ValuePath<PathScope, Element> {
    aggregate("sum", key)
  }

  /// The average of an attribute's values; nil where there are none.
  public func average<Element: Numeric>(
    of key: AttributeKey<PathDestination, Element>
  ) -> ValuePath<PathScope, Double> {
    ValuePath(aggregate("avg", key).queryPath)
  }

  /// The least of an attribute's values; nil where there are none.
  public func min<Element>(of key: AttributeKey<PathDestination, Element>) -> ValuePath<PathScope, Element> {
    aggregate("min", key)
  }

  /// The greatest of an attribute's values; nil where there are none.
  public func max<Element>(of key: AttributeKey<PathDestination, Element>) -> ValuePath<PathScope, Element> {
    aggregate("max", key)
  }

  private func aggregate<Element>(
    _ name: String, _ key: AttributeKey<PathDestination, Element>
  ) -> ValuePath<PathScope, Element> {
    ValuePath(queryPath.appending([.collectionOperator(name), .key(key.propertyName)]))
  }
}
