import GraphStorePredicates

/// Whether an expression or a predicate follows from one row alone and always alike, as an index needs it (MDL-284, MDL-286).
///
/// What follows the version or the locale of the system is refused too: an index made by one would mislead the other
/// (PRD-254).
struct RowExpression {
  /// Why it does not, as a clause about what stands there; nil where it does.
  private(set) var refused: String?
  private var hasProperty = false
  private let validator: ModelValidator
  /// The position of the entity that has the index.
  private let entity: Int

  init(_ expression: QueryExpression, of entity: Int, in validator: ModelValidator) {
    self.validator = validator
    self.entity = entity
    look(at: expression)
    if !hasProperty { note("an expression without a property") }
  }

  init(_ predicate: QueryPredicate, of entity: Int, in validator: ModelValidator) {
    self.validator = validator
    self.entity = entity
    look(at: predicate)
    if !hasProperty { note("a condition without a property") }
  }

  private mutating func look(at predicate: QueryPredicate) {
    switch predicate {
    case .constant: break
    case .block: note("a closure")
    case .and(let members), .or(let members): for member in members { look(at: member) }
    case .not(let operand): look(at: operand)
    case .comparison(let comparison):
      if comparison.modifier != .direct { note("\(comparison.modifier.rawValue), which needs other rows") }
      if comparison.options.contains(.localized) { note("[l], whose order changes with the system") }
      if comparison.comparator == .matches { note("MATCHES, which changes with the system's expressions") }
      if comparison.comparator == .in { note("IN, which is written as comparisons with OR there") }
      look(at: comparison.left)
      look(at: comparison.right)
    }
  }

  private mutating func look(at expression: QueryExpression) {
    switch expression.kind {
    case .variable(let name): note("the variable $\(name)")
    case .subquery: note("SUBQUERY, which needs other rows")
    case .fetch: note("FETCH, which needs other rows")
    case .call(_, "uppercaseString", _), .call(_, "lowercaseString", _): break
    case .call: note("FUNCTION, which the store does not have")
    case .setOperation, .index: note("a collection, which is no single value")
    case .block: note("a closure")
    case .evaluatedObject: note("SELF, which is the whole object")
    case .function(.now, _): note("now(), which is another moment each time")
    case .function(.random, _), .function(.randomBelow, _), .function(.randomNumber, _):
      note("a random number, which is another one each time")
    case .function(let function, _): look(at: function)
    case .keyPath(let path): look(at: path)
    default: break
    }
    for child in expression.children { look(at: child) }
    for predicate in expression.childPredicates { look(at: predicate) }
  }

  private mutating func look(at function: QueryFunction) {
    switch function {
    case .normalize, .normalizeWith, .power, .exponential, .logarithm, .naturalLogarithm:
      note("\(function.rawValue), which may change with the system's libraries")
    case .count, .mode, .distinct: note("\(function.rawValue), which is about collections")
    default: break
    }
  }

  private mutating func look(at path: QueryKeyPath) {
    hasProperty = true
    guard path.base == nil, let keys = path.plainKeys, let first = keys.first else {
      note("a collection operator, which needs other rows")
      return
    }
    switch validator.property(first, of: entity) {
    case .attribute(let attribute) where attribute.isTransient: note("\(first), which is transient")
    case .relationship(let relationship, _) where relationship.isToMany: note("\(first), which is to-many")
    case .relationship where keys.count > 1:
      note("\(keys.joined(separator: ".")), which is in another row")
    default: break
    }
  }

  private mutating func note(_ text: String) {
    if refused == nil { refused = text }
  }
}
