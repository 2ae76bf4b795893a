import GraphStorePredicates

/// The order in which what is left over for memory is evaluated (PRD-250).
package enum ResidualCost {
  /// The parts with the cheapest first; parts that cost alike keep the order of the text.
  package static func cheapestFirst(_ parts: [QueryPredicate]) -> [QueryPredicate] {
    guard parts.count > 1 else { return parts }
    let ranked = parts.enumerated().map { (part: $0.element, cost: cost(of: $0.element), place: $0.offset) }
    return ranked.sorted { ($0.cost, $0.place) < ($1.cost, $1.place) }.map(\.part)
  }

  /// Costs add up over the parts of a tree; what walks other objects costs more than any text.
  package static func cost(of predicate: QueryPredicate) -> Int {
    var sum = Sum()
    predicate.walk(&sum)
    return sum.cost
  }

  private struct Sum: PredicateVisitor {
    var cost = 0

    mutating func visit(_ predicate: QueryPredicate) {
      switch predicate {
      case .comparison(let comparison): cost += Self.cost(of: comparison)
      case .block: cost += 50
      case .constant, .and, .or, .not: break
      }
    }

    mutating func visit(_ expression: QueryExpression) {
      switch expression.kind {
      case .keyPath(let path): cost += 100 * max(0, path.steps.count - 1)
      case .subquery, .setOperation, .fetch: cost += 1_000
      case .function, .cast, .call, .block: cost += 5
      default: break
      }
    }

    private static func cost(of comparison: QueryComparison) -> Int {
      let quantified = comparison.modifier == .direct ? 0 : 500
      switch comparison.comparator {
      case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .in:
        return quantified + (comparison.options.isEmpty ? 1 : 10)
      case .contains, .beginsWith, .endsWith, .like: return quantified + 10
      case .matches, .typeConformsTo, .typeEquals: return quantified + 40
      }
    }
  }
}
