/// Depth of trees made in code; counting stops shortly after the bound.
package enum TreeDepth {
  /// The deepest nesting of a text or tree.
  package static let maximum = 500
  private static let enough = maximum + 1

  package static func depth(of predicate: QueryPredicate) -> Int {
    predicateDepth(predicate, 1)
  }

  package static func depth(of expression: QueryExpression) -> Int {
    expressionDepth(expression, 1)
  }

  private static func predicateDepth(_ predicate: QueryPredicate, _ level: Int) -> Int {
    guard level < enough else { return level }
    switch predicate {
    case .constant, .block: return level
    case .comparison(let comparison):
      return max(expressionDepth(comparison.left, level + 1), expressionDepth(comparison.right, level + 1))
    case .not(let operand): return predicateDepth(operand, level + 1)
    case .and(let members), .or(let members):
      return members.reduce(level) { max($0, predicateDepth($1, level + 1)) }
    }
  }

  private static func expressionDepth(_ expression: QueryExpression, _ level: Int) -> Int {
    guard level < enough else { return level }
    var deepest = level
    for child in expression.children { deepest = max(deepest, expressionDepth(child, level + 1)) }
    for child in expression.childPredicates { deepest = max(deepest, predicateDepth(child, level + 1)) }
    return deepest
  }
}
