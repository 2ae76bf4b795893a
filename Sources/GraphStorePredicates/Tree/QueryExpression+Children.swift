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
