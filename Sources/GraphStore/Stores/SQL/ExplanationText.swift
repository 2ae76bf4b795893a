import GraphStorePredicates

/// The parts of a request as readable text, and their ranges in it.
package enum ExplanationText {
  package static func text(of predicate: QueryPredicate) -> String {
    "\(predicate)"
  }

  package static func text(of descriptor: QuerySortDescriptor) -> String {
    if descriptor.isComputed { return "\(descriptor)" }
    let keys = descriptor.keyPath.steps.map { step in
      switch step {
      case .key(let key): key
      case .collectionOperator(let name): "@\(name)"
      case .variable(let name): "$\(name)"
      }
    }
    return (descriptor.ascending ? "" : "-") + (keys.isEmpty ? "SELF" : keys.joined(separator: "."))
      + descriptor.modifiers
  }

  /// The text from the first known range to the last; nil for a part made in code.
  package static func range(of predicate: QueryPredicate) -> SourceRange? {
    var reader = RangeReader()
    predicate.walk(&reader)
    return reader.start?.extended(to: reader.end)
  }

  private struct RangeReader: PredicateVisitor {
    var start: SourceRange?
    var end = 0

    mutating func visit(_ predicate: QueryPredicate) {
      if case .comparison(let comparison) = predicate { add(comparison.operatorRange) }
    }

    mutating func visit(_ expression: QueryExpression) {
      add(expression.sourceRange)
    }

    private mutating func add(_ range: SourceRange?) {
      guard let range else { return }
      if range.offset < start?.offset ?? Int.max { start = range }
      end = max(end, range.end)
    }
  }
}
