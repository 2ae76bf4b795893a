import GraphStoreModel
import GraphStorePredicates

/// One value of the dictionaries that a request returns, or one of those that it groups by.
///
/// ```swift
/// request.propertiesToFetch = [
///   "department.name", .expression(ExpressionDescription(name: "total", expression: sum)),
/// ]
/// ```
public enum ResultProperty: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The name of an attribute or of a to-one relationship, a key path through to-one relationships or composite attributes,
  /// or `objectID`; or the name of an expression of the same request.
  case keyPath(String)
  /// A value that is computed.
  case expression(ExpressionDescription)

  /// Makes a key path.
  public init(stringLiteral value: String) { self = .keyPath(value) }

  /// The key in the dictionaries: the path as written, or the name of the expression.
  public var name: String {
    switch self {
    case .keyPath(let path): path
    case .expression(let description): description.name
    }
  }
}

/// A computed value of a dictionary: its name, the expression, and the type of the values (FET-083).
///
/// The expression may be a key path, a constant, arithmetic, a function, a conditional, or an aggregate over any of these:
/// `sum:(salary * 12)` over the rows of a group, `count:(distinct:(name))` over different values, `reports.@count` over
/// the members that one object has (FET-084, FET-089).
public struct ExpressionDescription: Sendable, Hashable {
  /// The key in the dictionaries.
  public var name: String
  /// What is computed.
  public var expression: QueryExpression
  /// The type that values are converted to; nil keeps what the expression yields.
  ///
  /// A value that does not fit throws `value-out-of-range`.
  public var resultType: AttributeType?

  /// Makes a description of its parts.
  public init(name: String, expression: QueryExpression, resultType: AttributeType? = nil) {
    self.name = name
    self.expression = expression
    self.resultType = resultType
  }

  /// Makes a description of the expression's text.
  ///
  /// - Parameters:
  ///   - name: The key in the dictionaries; nil for the text.
  ///   - text: The expression, such as `sum:(salary)`.
  ///   - resultType: The type that values are converted to; nil keeps what the expression yields.
  /// - Throws: ``/GraphStorePredicates/QueryPredicateError`` with the position.
  public init(
    name: String? = nil, parsing text: String, resultType: AttributeType? = nil
  ) throws(QueryPredicateError) {
    self.init(
      name: name ?? text, expression: try QueryExpression(parsing: text), resultType: resultType)
  }
}
