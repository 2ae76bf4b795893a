/// Operand of a predicate: an immutable tree that yields a value, an object or a collection.
///
/// ```swift
/// let yearly = try QueryExpression(parsing: "salary * 12")
/// print(yearly == .function(.multiply, .key("salary"), .constant(12)))  // true
/// let wellPaid = QueryPredicate.compare(yearly, .greater, .constant(1_000_000))
/// ```
public struct QueryExpression: Hashable, Sendable {
  /// The forms of expressions.
  public indirect enum Kind: Hashable, Sendable {
    /// A constant value.
    case constant(Value)
    /// The object under test, `SELF`.
    case evaluatedObject
    /// A variable, by its name without `$`.
    case variable(String)
    /// A chain of keys from the object under test or from another expression.
    case keyPath(QueryKeyPath)
    /// A function of the language with its arguments; operators of arithmetic are functions too.
    case function(QueryFunction, [QueryExpression])
    /// `FUNCTION(target, "name:", …)`, a function registered by the application.
    case call(target: QueryExpression, name: String, arguments: [QueryExpression])
    /// `CAST(operand, "type")`.
    case cast(QueryExpression, QueryCastType)
    /// `{a, b, c}`.
    case aggregate([QueryExpression])
    /// `SUBQUERY(collection, $variable, predicate)`.
    case subquery(collection: QueryExpression, variable: String, predicate: QueryPredicate)
    /// `TERNARY(condition, then, otherwise)`.
    case ternary(condition: QueryPredicate, then: QueryExpression, otherwise: QueryExpression)
    /// `collection[index]`.
    case index(QueryExpression, QueryIndex)
    /// `left UNION right` and its kin.
    case setOperation(QuerySetOperator, QueryExpression, QueryExpression)
    /// `FETCH(request, context, countOnly)`.
    case fetch(request: QueryExpression, context: QueryExpression, countOnly: QueryExpression)
    /// A closure, evaluated in memory only.
    case block(ExpressionBlock)
  }

  /// The form and its parts.
  public let kind: Kind
  /// The range of the expression in its text, when there was one.
  public let sourceRange: SourceRange?

  /// Makes an expression of a form. An aggregate of constants becomes the constant list, CAST of a constant
  /// its result, and a key path without steps its base. CAST of a constant that cannot be cast stays as it
  /// is: checking and evaluating it throws `bad-cast`.
  public init(_ kind: Kind, sourceRange: SourceRange? = nil) {
    self.kind = Self.normalised(kind)
    self.sourceRange = sourceRange
  }

  /// Makes an expression of a form that needs no change: a constant, or a key path with steps.
  init(leaf kind: Kind, sourceRange: SourceRange) {
    self.kind = kind
    self.sourceRange = sourceRange
  }

  private static func normalised(_ kind: Kind) -> Kind {
    switch kind {
    case .aggregate(let members):
      var values: [Value] = []
      for member in members {
        guard case .constant(let value) = member.kind else { return kind }
        values.append(value)
      }
      return .constant(.list(values))
    case .keyPath(let path) where path.steps.isEmpty:
      return path.base?.kind ?? .evaluatedObject
    case .cast(let operand, let type):
      guard case .constant(let value) = operand.kind else { return kind }
      let result = value.cast(to: type)
      return result.isNull && !value.isNull ? kind : .constant(result)
    default:
      return kind
    }
  }

  /// Whether both are equal, as the type says.
  public static func == (left: QueryExpression, right: QueryExpression) -> Bool {
    left.kind == right.kind
  }

  /// Feeds what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
  }
}

extension QueryExpression {
  /// The object under test.
  public static let evaluatedObject = QueryExpression(.evaluatedObject)

  /// The missing value.
  public static let null = QueryExpression(.constant(.null))

  /// A constant.
  public static func constant(_ value: some ValueConvertible) -> QueryExpression {
    QueryExpression(.constant(value.queryValue))
  }

  /// A variable, by its name without `$`. A name that is no identifier cannot be printed so that it reads
  /// back.
  public static func variable(_ name: String) -> QueryExpression {
    QueryExpression(.variable(name))
  }

  /// The value of one key of the object under test. A name that is no identifier cannot be printed so that it
  /// reads back; ``QueryKeyPath/init(parsing:)`` refuses such names.
  public static func key(_ name: String) -> QueryExpression {
    QueryExpression(.keyPath(QueryKeyPath(steps: [.key(name)])))
  }

  /// The value of a chain of keys of the object under test.
  public static func keys(_ names: String...) -> QueryExpression {
    QueryExpression(.keyPath(QueryKeyPath(steps: names.map(QueryKeyPath.Step.key))))
  }

  /// A function of the language.
  public static func function(_ function: QueryFunction, _ arguments: QueryExpression...) -> QueryExpression {
    QueryExpression(.function(function, arguments))
  }

  /// Whether the expression casts a constant that cannot be cast.
  package var isBadCast: Bool {
    if case .cast(let operand, _) = kind, case .constant = operand.kind { return true }
    return false
  }

  /// The constant's value, when the expression is a constant.
  public var constantValue: Value? {
    if case .constant(let value) = kind { return value }
    return nil
  }
}

/// Index in the brackets after a collection.
public indirect enum QueryIndex: Hashable, Sendable {
  /// `[FIRST]`
  case first
  /// `[LAST]`
  case last
  /// `[SIZE]`
  case size
  /// A position from 0 or a dictionary's key.
  case at(QueryExpression)
}

/// The operators that combine two collections; the raw value is the printed form.
public enum QuerySetOperator: String, Hashable, Sendable, CaseIterable {
  /// Members of either side.
  case union = "UNION"
  /// Members of both sides.
  case intersect = "INTERSECT"
  /// Members of the left side that the right side does not have.
  case minus = "MINUS"
}

extension QueryExpression {
  /// The expressions directly inside, left before right, those of inner predicates not included.
  public var children: [QueryExpression] {
    switch kind {
    case .constant, .evaluatedObject, .variable, .block: []
    case .keyPath(let path): path.base.map { [$0] } ?? []
    case .function(_, let arguments), .aggregate(let arguments): arguments
    case .call(let target, _, let arguments): [target] + arguments
    case .cast(let operand, _): [operand]
    case .subquery(let collection, _, _): [collection]
    case .ternary(_, let then, let otherwise): [then, otherwise]
    case .index(let collection, .at(let index)): [collection, index]
    case .index(let collection, _): [collection]
    case .setOperation(_, let left, let right): [left, right]
    case .fetch(let request, let context, let countOnly): [request, context, countOnly]
    }
  }

  /// The predicates directly inside: the condition of TERNARY, the predicate of SUBQUERY.
  public var childPredicates: [QueryPredicate] {
    switch kind {
    case .subquery(_, _, let predicate): [predicate]
    case .ternary(let condition, _, _): [condition]
    default: []
    }
  }
}
