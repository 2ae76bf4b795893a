/// What an expression yields in memory: a value, an object, or a collection of these.
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
