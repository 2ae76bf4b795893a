import GraphStorePredicates

extension PredicateCheck {
  /// An expression as an error names it.
  func text(of expression: QueryExpression) -> String {
    switch expression.kind {
    case .keyPath(let path): path.text
    case .evaluatedObject: "SELF"
    case .variable(let name): "$\(name)"
    case .constant(let value): "\(value)"
    case .function(let function, _): "\(function.rawValue)(…)"
    default: "the expression"
    }
  }
}
