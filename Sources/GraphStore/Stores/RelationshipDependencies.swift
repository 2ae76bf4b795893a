import GraphStoreModel
import GraphStorePredicates

/// Whether a request looks at properties of other objects than those it returns (FET-062).
struct RelationshipDependencies {
  let entity: EntityDescription

  func crosses(_ predicate: QueryPredicate) -> Bool {
    switch predicate {
    case .constant: false
    case .comparison(let comparison): crosses(comparison.left) || crosses(comparison.right)
    case .and(let parts), .or(let parts): parts.contains { crosses($0) }
    case .not(let operand): crosses(operand)
    case .block: true
    }
  }

  func crosses(_ expression: QueryExpression) -> Bool {
    switch expression.kind {
    case .constant, .evaluatedObject, .variable: return false
    case .keyPath(let path):
      guard path.base == nil else { return true }
      guard let found = try? PredicateTypeChecker(entity: entity).resolve(path) else { return true }
      return found.crossesRelationships
    case .function(_, let arguments), .aggregate(let arguments): return arguments.contains { crosses($0) }
    case .cast(let operand, _): return crosses(operand)
    case .ternary(let condition, let then, let otherwise):
      return crosses(condition) || crosses(then) || crosses(otherwise)
    case .setOperation(_, let left, let right): return crosses(left) || crosses(right)
    case .subquery, .index, .call, .fetch, .block: return true
    }
  }
}
