/// Result of an expression in memory: a value, an object, or a collection of these.
///
/// ```swift
/// let predicate = try QueryPredicate(parsing: "age > 18")
/// let evaluator = try PredicateEvaluator(predicate)
/// print(try evaluator.evaluate(.value(.dictionary(["age": .int(36)]))))  // true
/// ```
public enum QueryOperand {
  /// A value; a list value counts as an ordered collection.
  case value(Value)
  /// An object whose keys can be read.
  case source(any _PropertySource)
  /// The members of a to-many or of another collection.
  case collection([QueryOperand], isOrdered: Bool)
}

extension QueryOperand {
  /// The missing value.
  public static var null: QueryOperand { .value(.null) }

  /// Whether the operand is the missing value.
  public var isNull: Bool {
    if case .value(.null) = self { return true }
    return false
  }
}

extension QueryOperand {
  /// The members of a collection or list; nil for every other operand.
  var members: [QueryOperand]? {
    switch self {
    case .collection(let members, _): members
    case .value(.list(let values)): values.map(QueryOperand.value)
    default: nil
    }
  }

  /// The members when a single value counts as a collection of one and nil as one of none.
  var membersOrSelf: [QueryOperand] {
    if let members { return members }
    return isNull ? [] : [self]
  }

  /// The operand as a value: objects as references, plain records as dictionaries, collections as lists.
  public var value: Value {
    switch self {
    case .value(let value): value
    case .source(let source):
      source._objectReference.map(Value.object) ?? source._dictionary.map(Value.dictionary) ?? .null
    case .collection(let members, _): .list(members.map(\.value))
    }
  }

  /// The value when the operand is neither nil nor NaN.
  var isMissing: Bool {
    if case .value(let value) = self { return value.isNull || value.isNaN }
    return false
  }
}
