import GraphStorePredicates

/// Whether an expression or a predicate follows from one row alone and always alike, as an index needs it (MDL-284, MDL-286).
struct RowExpression {
  /// Why it does not, as a clause about what stands there; nil where it does.
  private(set) var fault: String?
  private let checker: ModelChecker
  /// The position of the entity that has the index.
  private let entity: Int

  init(_ expression: QueryExpression, of entity: Int, in checker: ModelChecker) {
    self.checker = checker
    self.entity = entity
    look(at: expression)
  }

  init(_ predicate: QueryPredicate, of entity: Int, in checker: ModelChecker) {
    self.checker = checker
    self.entity = entity
    look(at: predicate)
  }

  private mutating func look(at predicate: QueryPredicate) {
    switch predicate {
    case .constant: break
    case .block: note("a closure")
    case .and(let members), .or(let members): for member in members { look(at: member) }
    case .not(let operand): look(at: operand)
    case .comparison(let comparison):
      if comparison.modifier != .direct { note("\(comparison.modifier.rawValue), which needs other rows") }
      look(at: comparison.left)
      look(at: comparison.right)
    }
  }

  private mutating func look(at expression: QueryExpression) {
    switch expression.kind {
    case .variable(let name): note("the variable $\(name)")
    case .subquery: note("SUBQUERY, which needs other rows")
    case .fetch: note("FETCH, which needs other rows")
    case .call: note("FUNCTION, which the store does not have")
    case .block: note("a closure")
    case .evaluatedObject: note("SELF, which is the whole object")
    case .function(.now, _): note("now(), which is another moment each time")
    case .function(.random, _), .function(.randomBelow, _), .function(.randomNumber, _):
      note("a random number, which is another one each time")
    case .keyPath(let path): look(at: path)
    default: break
    }
    for child in expression.children { look(at: child) }
    for predicate in expression.childPredicates { look(at: predicate) }
  }

  private mutating func look(at path: QueryKeyPath) {
    guard path.base == nil, let keys = path.plainKeys, let first = keys.first else {
      note("a collection operator, which needs other rows")
      return
    }
    switch checker.property(first, of: entity) {
    case .attribute(let attribute) where attribute.isTransient: note("\(first), which is transient")
    case .relationship(let relationship, _) where relationship.isToMany: note("\(first), which is to-many")
    case .relationship where keys.count > 1:
      note("\(keys.joined(separator: ".")), which is in another row")
    default: break
    }
  }

  private mutating func note(_ text: String) {
    if fault == nil { fault = text }
  }
}
