/// What an expression yields in memory: a value, an object, or a collection of these.
public enum Operand {
  /// A value; a list value counts as an ordered collection.
  case value(Value)
  /// An object whose keys can be read.
  case source(any PropertySource)
  /// The members of a to-many or of another collection.
  case collection([Operand], isOrdered: Bool)
}

extension Operand {
  /// The missing value.
  public static var null: Operand { .value(.null) }

  /// Whether the operand is the missing value.
  public var isNull: Bool {
    if case .value(.null) = self { return true }
    return false
  }
}
