import GraphStore

/// Search for the place of a constant regular expression in a predicate.
struct PatternSearch: PredicateVisitor {
  private let pattern: String
  private(set) var range: SourceRange?

  init(_ pattern: String) {
    self.pattern = pattern
  }

  mutating func visit(_ predicate: QueryPredicate) {
    guard range == nil, case .comparison(let comparison) = predicate, comparison.comparator == .matches,
      comparison.right.constantValue == .string(pattern)
    else { return }
    range = comparison.right.sourceRange
  }

  mutating func visit(_ expression: QueryExpression) {}
}
