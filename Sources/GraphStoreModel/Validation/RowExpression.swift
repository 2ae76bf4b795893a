import GraphStorePredicates

/// Determinism check of expressions and predicates for indexes: they follow from one row alone and always
/// alike (MDL-284, MDL-286).
///
/// An expression that depends on the version or the locale of the system is refused too: an index made by one
/// would mislead the other (PRD-254).
struct RowExpression {
  /// Why it does not, as a clause about the expression there; nil where it does.
  private(set) var refused: String?
  private var hasProperty = false
  private let validator: ModelValidator
  /// The position of the entity that has the index.
  private let entity: Int

  init(_ expression: QueryExpression, of entity: Int, in validator: ModelValidator) {
    self.validator = validator
    self.entity = entity
    visit(expression)
    if !hasProperty { refuse("an expression without a property") }
  }

  init(_ predicate: QueryPredicate, of entity: Int, in validator: ModelValidator) {
    self.validator = validator
    self.entity = entity
    visit(predicate)
    if !hasProperty { refuse("a condition without a property") }
  }

  private mutating func visit(_ predicate: QueryPredicate) {
    switch predicate {
    case .constant: break
    case .block: refuse("a closure")
    case .and(let members), .or(let members): for member in members { visit(member) }
    case .not(let operand): visit(operand)
    case .comparison(let comparison):
      if comparison.modifier != .direct { refuse("\(comparison.modifier.rawValue), which needs other rows") }
      if comparison.options.contains(.localized) { refuse("[l], whose order changes with the system") }
      if comparison.comparator == .matches { refuse("MATCHES, which changes with the system's expressions") }
      if comparison.comparator == .in { refuse("IN, which is written as comparisons with OR there") }
      visit(comparison.left)
      visit(comparison.right)
    }
  }

  private mutating func visit(_ expression: QueryExpression) {
    switch expression.kind {
    case .variable(let name): refuse("the variable $\(name)")
    case .subquery: refuse("SUBQUERY, which needs other rows")
    case .fetch: refuse("FETCH, which needs other rows")
    case .call(_, "uppercaseString", _), .call(_, "lowercaseString", _): break
    case .call: refuse("FUNCTION, which the store does not have")
    case .setOperation, .index: refuse("a collection, which is no single value")
    case .block: refuse("a closure")
    case .evaluatedObject: refuse("SELF, which is the whole object")
    case .function(.now, _): refuse("now(), which is another moment each time")
    case .function(.random, _), .function(.randomBelow, _), .function(.randomNumber, _):
      refuse("a random number, which is another one each time")
    case .function(let function, _): visit(function)
    case .keyPath(let path): visit(path)
    default: break
    }
    for child in expression.children { visit(child) }
    for predicate in expression.childPredicates { visit(predicate) }
  }

  private mutating func visit(_ function: QueryFunction) {
    switch function {
    case .normalize, .normalizeWith, .power, .exponential, .logarithm, .naturalLogarithm:
      refuse("\(function.rawValue), which may change with the system's libraries")
    case .count, .mode, .distinct: refuse("\(function.rawValue), which is about collections")
    default: break
    }
  }

  private mutating func visit(_ path: QueryKeyPath) {
    hasProperty = true
    guard path.base == nil, let keys = path.plainKeys, let first = keys.first else {
      refuse("a collection operator, which needs other rows")
      return
    }
    switch validator.property(first, of: entity) {
    case .attribute(let attribute) where attribute.isTransient: refuse("\(first), which is transient")
    case .relationship(let relationship, _) where relationship.isToMany: refuse("\(first), which is to-many")
    case .relationship where keys.count > 1:
      refuse("\(keys.joined(separator: ".")), which is in another row")
    default: break
    }
  }

  private mutating func refuse(_ text: String) {
    if refused == nil { refused = text }
  }
}
