import GraphStorePredicates

/// Path that ends in a value: an attribute behind a relationship, a count, an aggregate.
public struct ValuePath<PathScope: QueryScope, PathResult: ValueConvertible>: TypedExpression, Sendable {
  /// The way from the object under test.
  public let queryPath: QueryPath

  init(_ queryPath: QueryPath) { self.queryPath = queryPath }
}

/// Path that ends in an attribute of raw values.
public struct RawValuePath<PathScope: QueryScope, PathResult: RawRepresentable>: TypedExpression, Sendable
where PathResult.RawValue: ValueConvertible {
  /// The way from the object under test.
  public let queryPath: QueryPath

  init(_ queryPath: QueryPath) { self.queryPath = queryPath }

  /// The raw value.
  public static func queryValue(of value: PathResult) -> Value { value.rawValue.queryValue.literalValue }
}

/// Path that ends in a composite attribute, which has a path for each element.
public struct CompositePath<PathScope: QueryScope, PathComposite: CompositeValue>: CompositeSteps, Sendable {
  /// The way from the object under test.
  public let queryPath: QueryPath

  init(_ queryPath: QueryPath) { self.queryPath = queryPath }
}

/// Path that ends in a transformable or undefined attribute.
public struct OpaquePath<PathScope: QueryScope>: UncomparedExpression, Sendable {
  /// The way from the object under test.
  public let queryPath: QueryPath

  init(_ queryPath: QueryPath) { self.queryPath = queryPath }
}

/// Keys and paths that lead to a composite attribute. Generated code has a property here for each element.
public protocol CompositeSteps<PathScope, PathComposite>: UncomparedExpression {
  /// The type of the composite value.
  associatedtype PathComposite: CompositeValue
}

/// Elements by name, as generated code declares them: `var city: ValuePath<PathScope, String> { element("city") }`.
extension CompositeSteps {
  /// The path to an element.
  public func element<Element>(_ name: String) -> ValuePath<PathScope, Element> {
    ValuePath(queryPath.appending(name))
  }

  /// The path to an element that is a composite itself.
  public func element<Element>(_ name: String) -> CompositePath<PathScope, Element> {
    CompositePath(queryPath.appending(name))
  }

  /// The path to a transformable or undefined element.
  public func element(_ name: String) -> OpaquePath<PathScope> { OpaquePath(queryPath.appending(name)) }
}
