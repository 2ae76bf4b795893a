import GraphStorePredicates

/// Way of a typed expression from the object under test: relationships under quantifiers, then keys.
public struct QueryPath: Hashable, Sendable {
  /// Relationships under a quantifier.
  private struct Stretch: Hashable {
    var steps: [QueryKeyPath.Step]
    var quantifier: Quantifier
  }

  private var stretches: [Stretch] = []
  private var base: QueryExpression?
  private var steps: [QueryKeyPath.Step] = []

  /// The object under test.
  init() {}

  /// A property of the object under test.
  init(_ name: String) { steps = [.key(name)] }

  /// Makes a path to the value of an expression, or of a collection operator on it.
  init(base: QueryExpression, steps: [QueryKeyPath.Step]) {
    self.base = base
    self.steps = steps
  }

  func appending(_ name: String) -> QueryPath { appending([.key(name)]) }

  func appending(_ further: [QueryKeyPath.Step]) -> QueryPath {
    var path = self
    path.steps += further
    return path
  }

  /// The chain of keys of an expression without quantifiers.
  var keyPath: QueryKeyPath { QueryKeyPath(base: base, steps: stretches.flatMap(\.steps) + steps) }

  /// The expression, when it is under no quantifier.
  var expression: QueryExpression { QueryExpression(.keyPath(keyPath)) }

  /// The members of the relationship in which the path ends, under a quantifier.
  ///
  /// Two quantifiers that mean the same as one over the members of all members become that one.
  func quantified(_ quantifier: Quantifier) -> QueryPath {
    var path = self
    path.steps = []
    switch (stretches.last?.quantifier, quantifier) {
    case (.any, .any), (.all, .all), (.none?, .any):
      path.stretches[stretches.count - 1].steps += steps
    case (.all, .none):
      path.stretches[stretches.count - 1].steps += steps
      path.stretches[stretches.count - 1].quantifier = .none
    default:
      path.stretches.append(Stretch(steps: steps, quantifier: quantifier))
    }
    return path
  }

  /// The comparison of the expression with another, under the quantifiers.
  func compare(
    _ comparator: QueryComparison.Operator, _ right: QueryExpression, options: QueryComparison.Options = []
  ) -> QueryPredicate {
    guard let first = stretches.first else {
      return .compare(expression, comparator, right, options: options)
    }
    var member = self
    member.stretches.removeFirst()
    member.base = nil
    return .quantified(
      first.quantifier, over: QueryExpression(.keyPath(QueryKeyPath(base: base, steps: first.steps))),
      ofMember: { member.expressionOfMember($0, comparator, right, options) })
  }

  /// The comparison with this as the path from a member.
  private func expressionOfMember(
    _ member: QueryExpression, _ comparator: QueryComparison.Operator, _ right: QueryExpression,
    _ options: QueryComparison.Options
  ) -> QueryPredicate {
    var path = self
    path.base = member
    return path.compare(comparator, right, options: options)
  }
}

/// PathScope of a typed expression: the class of the objects under test, and whether the expression has one
/// value for each of them or one for each member of a relationship.
public protocol QueryScope {
  /// The class of the objects under test.
  associatedtype Object: ManagedObject
}

/// Scope of expressions under no quantifier.
public protocol SingleQueryScope: QueryScope {}

/// PathScope of expressions that have one value for each object: `Keys.salary`, `Keys.department.name`.
public enum SingleValue<Object: ManagedObject>: SingleQueryScope {}

/// PathScope of expressions under a quantifier, which have a value for each member:
/// `Keys.projects.any.title`.
///
/// They can be compared with values and with expressions of ``SingleValue``, and neither sorted by nor
/// compared with each other.
public enum QuantifiedValues<Object: ManagedObject>: QueryScope {}

/// Quantifier of a condition over the members of a relationship.
public enum Quantifier: Sendable {
  /// At least one member.
  case any
  /// Every member; true where there is none.
  case all
  /// No member.
  case none
}

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

/// Elements by name, as generated code declares them:
/// `var city: ValuePath<PathScope, String> { element("city") }`.
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
