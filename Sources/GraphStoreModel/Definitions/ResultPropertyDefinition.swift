/// One entry of the properties of a stored fetch request: the name of a property or a key path, or an
/// expression with a name.
///
/// In a model file it is a string, or an object with `name`, `expression` and `type`.
///
/// ```swift
/// let totals = FetchRequestDefinition(
///   "totals", entity: "Employee", resultType: .dictionaries,
///   properties: ["department.name", ResultPropertyDefinition("total", expression: "sum:(salary)")],
///   groupBy: ["department.name"])
/// ```
public struct ResultPropertyDefinition: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The key in the results.
  public var name: String
  /// The expression that is computed; nil where the name is a key path.
  public var expression: String?
  /// The type that values are converted to; nil for what the expression yields.
  public var type: AttributeType?

  /// Makes an entry from its parts.
  public init(_ name: String, expression: String? = nil, type: AttributeType? = nil) {
    self.name = name
    self.expression = expression
    self.type = type
  }

  /// Makes an entry of the name of a property or a key path.
  public init(stringLiteral value: String) { self.init(value) }
}

extension ResultPropertyDefinition: CustomStringConvertible {
  /// `name`, or `sum:(salary) as total (decimal)`.
  public var description: String {
    guard let expression else { return name }
    return "\(expression) as \(name)" + (type.map { " (\($0.rawValue))" } ?? "")
  }
}
