import GraphStorePredicates

/// Path that ends in an object: a to-one relationship, a member under a quantifier, or the object under test.
public struct ToOnePath<PathScope: QueryScope, PathDestination: ManagedObject>: ToOneSteps, Sendable {
  /// The object.
  public typealias PathResult = PathDestination

  /// The way from the object under test.
  public let queryPath: QueryPath

  init(_ queryPath: QueryPath) { self.queryPath = queryPath }
}

/// Keys and paths that lead to an object. Generated code has a property here for each property of a class, so
/// that `Keys.department.name` chains as text does; by hand it is
/// `Keys.department.step(Department.Keys.name)`.
///
/// A path is nil where an object on the way is missing.
public protocol ToOneSteps<PathScope, PathDestination>: TypedExpression where PathResult == PathDestination {
  /// The class of the object.
  associatedtype PathDestination: ManagedObject
}

/// Properties by name, as generated code declares them:
/// `var salary: ValuePath<PathScope, Decimal> { property("salary") }`.
extension ToOneSteps {
  /// The path to an attribute.
  public func property<Element>(_ name: String) -> ValuePath<PathScope, Element> {
    ValuePath(queryPath.appending(name))
  }

  /// The path to a composite attribute.
  public func property<Element>(_ name: String) -> CompositePath<PathScope, Element> {
    CompositePath(queryPath.appending(name))
  }

  /// The path to a transformable or undefined attribute.
  public func property(_ name: String) -> OpaquePath<PathScope> { OpaquePath(queryPath.appending(name)) }

  /// The path to the destination of a to-one.
  public func property<Next>(_ name: String) -> ToOnePath<PathScope, Next> {
    ToOnePath(queryPath.appending(name))
  }

  /// The path to the members of a to-many.
  public func property<Member>(_ name: String) -> ToManyPath<PathScope, Member> {
    ToManyPath(queryPath.appending(name))
  }
}

/// Properties by the keys of their class.
extension ToOneSteps {
  /// The path to an attribute of the object.
  public func step<Element>(_ key: AttributeKey<PathDestination, Element>) -> ValuePath<PathScope, Element> {
    ValuePath(queryPath.appending(key.propertyName))
  }

  /// The path to an attribute of raw values.
  public func step<Element>(
    _ key: RawValueKey<PathDestination, Element>
  ) -> RawValuePath<PathScope, Element> {
    RawValuePath(queryPath.appending(key.propertyName))
  }

  /// The path to a composite attribute.
  public func step<Element>(
    _ key: CompositeKey<PathDestination, Element>
  ) -> CompositePath<PathScope, Element> {
    CompositePath(queryPath.appending(key.propertyName))
  }

  /// The path to a transformable or undefined attribute.
  public func step<Element>(_ key: TransformableKey<PathDestination, Element>) -> OpaquePath<PathScope> {
    OpaquePath(queryPath.appending(key.propertyName))
  }

  /// The path to the destination of a to-one.
  public func step<Next>(_ key: ToOneKey<PathDestination, Next>) -> ToOnePath<PathScope, Next> {
    ToOnePath(queryPath.appending(key.propertyName))
  }

  /// The path to the members of a to-many.
  public func step<Members>(
    _ key: ToManyKey<PathDestination, Members>
  ) -> ToManyPath<PathScope, Members.Member> { ToManyPath(queryPath.appending(key.propertyName)) }

  /// Whether the object is the one of an identifier.
  public static func == (left: Self, right: ManagedObjectID) -> TypedPredicate<PathScope.Object> {
    left.compare(.equal, .constant(right))
  }

  /// Whether the object is another than the one of an identifier.
  public static func != (left: Self, right: ManagedObjectID) -> TypedPredicate<PathScope.Object> {
    left.compare(.notEqual, .constant(right))
  }

  /// Whether the object is the one of one of some identifiers.
  public func `in`(_ identifiers: some Sequence<ManagedObjectID>) -> TypedPredicate<PathScope.Object> {
    compare(.in, QueryExpression(.constant(.list(identifiers.map(\.queryValue)))))
  }
}

extension FetchableObject where Self: ManagedObject {
  /// The object under test itself, `SELF`: `Employee.evaluatedObject.in(team)`.
  public static var evaluatedObject: ToOnePath<SingleValue<Self>, Self> { ToOnePath(QueryPath()) }
}
