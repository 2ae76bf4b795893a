import Foundation
import GraphStorePredicates

/// Operand of conditions and orders with typed keys: an expression that knows the class it belongs to and the
/// Swift type of its values.
///
/// Keys are such expressions, and so are the paths that begin with a key: `Keys.salary`,
/// `Keys.department.name`, `Keys.projects.any.title`, `Keys.reports.count`. Operators and methods make a
/// ``TypedPredicate`` of them:
///
/// ```swift
/// typealias Keys = Employee.Keys
/// let request = FetchRequest(
///   where: Keys.salary > 50_000 && Keys.department.name == "Sales", sortedBy: Keys.name.ascending)
/// ```
///
/// Misuse is a compile-time error: a key of another class, a value of another type, a text operator on a
/// number. The predicate is the very tree that the text has, and a fetch treats both alike: a comparison with
/// a missing value selects nothing but where nil is asked for.
public protocol TypedExpression<PathScope, PathResult> {
  /// The class of the objects under test, and whether the expression is under a quantifier.
  associatedtype PathScope: QueryScope
  /// The Swift type of the values.
  associatedtype PathResult
  /// The way from the object under test.
  var queryPath: QueryPath { get }
  /// A value as predicates know it.
  static func queryValue(of value: PathResult) -> Value
}

extension TypedExpression where PathResult: ValueConvertible {
  /// A value as predicates know it: a decimal number as its digits would be read.
  public static func queryValue(of value: PathResult) -> Value { value.queryValue.literalValue }
}

extension TypedExpression {
  static func constant(_ value: PathResult?) -> QueryExpression {
    QueryExpression(.constant(value.map(queryValue(of:)) ?? .null))
  }

  static func constants(_ values: some Sequence<PathResult>) -> QueryExpression {
    QueryExpression(.constant(.list(values.map(queryValue(of:)))))
  }

  func compare(
    _ comparator: QueryComparison.Operator, _ right: QueryExpression, _ options: QueryComparison.Options = []
  ) -> TypedPredicate<PathScope.Object> {
    TypedPredicate(queryPath.compare(comparator, right, options: options))
  }
}

extension Value {
  /// The constant that the value's text is parsed to: a decimal number is what its digits are read as.
  var literalValue: Value {
    guard case .decimal(let decimal) = self else { return self }
    return NumberLiteral.value(ofText: decimal.description) ?? self
  }
}

/// An expression that is tested for nil alone: a composite, transformable or undefined attribute as a whole.
public protocol UncomparedExpression: TypedExpression where PathResult == Never {}

extension UncomparedExpression {
  /// There is no value.
  public static func queryValue(of value: Never) -> Value {}
}

/// Comparisons of text.
extension TypedExpression where PathResult == String {
  /// Whether the text is equal to another by the options: `==[c]`.
  public func isEqual(
    to text: String, _ options: QueryComparison.Options
  ) -> TypedPredicate<PathScope.Object> {
    compare(.equal, Self.constant(text), options)
  }

  /// Whether the text contains another.
  public func contains(
    _ text: String, _ options: QueryComparison.Options = []
  ) -> TypedPredicate<PathScope.Object> {
    compare(.contains, Self.constant(text), options)
  }

  /// Whether the text begins with another.
  public func beginsWith(
    _ text: String, _ options: QueryComparison.Options = []
  ) -> TypedPredicate<PathScope.Object> {
    compare(.beginsWith, Self.constant(text), options)
  }

  /// Whether the text ends with another.
  public func endsWith(
    _ text: String, _ options: QueryComparison.Options = []
  ) -> TypedPredicate<PathScope.Object> {
    compare(.endsWith, Self.constant(text), options)
  }

  /// Whether the whole text fits a pattern in which `?` matches one character and `*` for any number.
  public func like(
    _ pattern: String, _ options: QueryComparison.Options = []
  ) -> TypedPredicate<PathScope.Object> {
    compare(.like, Self.constant(pattern), options)
  }

  /// Whether the whole text fits a regular expression; a fetch with one that does not compile throws
  /// `bad-regular-expression`.
  public func matches(
    _ expression: String, _ options: QueryComparison.Options = []
  ) -> TypedPredicate<PathScope.Object> {
    compare(.matches, Self.constant(expression), options)
  }

  /// Whether the text is one of some by the options: `IN[c]`.
  public func `in`(
    _ texts: some Sequence<String>, _ options: QueryComparison.Options
  ) -> TypedPredicate<PathScope.Object> {
    compare(.in, Self.constants(texts), options)
  }
}
