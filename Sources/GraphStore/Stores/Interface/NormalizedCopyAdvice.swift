import GraphStoreModel
import GraphStorePredicates

/// Finds comparisons of text that read every row regardless of indexes, and names the remedy (DGN-089).
package struct NormalizedCopyAdvice: PredicateVisitor {
  private let entity: EntityDescription
  private let total: String
  package private(set) var advice: [FetchExplanation.Advice] = []

  /// - Parameter total: The number of rows that are read now, as text.
  package init(_ entity: EntityDescription, total: String) {
    self.entity = entity
    self.total = total
  }

  package mutating func visit(_ predicate: QueryPredicate) {
    guard case .comparison(let comparison) = predicate, let form = Self.form(of: comparison),
      case .keyPath(let path) = comparison.left.kind,
      let resolved = try? PredicateTypeChecker(entity: entity).resolve(keyPath: "\(comparison.left)"),
      case .attribute(let found)? = resolved.steps.last, let attribute = found.first,
      attribute.type == .string, path.steps.count == resolved.steps.count
    else { return }
    let reason =
      "\(form) on \(comparison.left) reads \(total) rows and no index can help it: keep a normalised copy of "
      + "\(attribute.name), index it, and compare the copy by ==[n] or BEGINSWITH[n]"
    let next = FetchExplanation.Advice(entity: attribute.entity.name, index: nil, reason: reason)
    if !advice.contains(next) { advice.append(next) }
  }

  package mutating func visit(_ expression: QueryExpression) {}

  /// The operator as it is written; nil for one that an index can serve.
  private static func form(of comparison: QueryComparison) -> String? {
    let folds: QueryComparison.Options = [.caseInsensitive, .diacriticInsensitive]
    let isFolded = !comparison.options.isDisjoint(with: folds)
    switch comparison.comparator {
    case .contains, .endsWith, .matches: break
    case .like:
      guard isFolded || beginsWithWildcard(comparison.right.constantValue) else { return nil }
    default: guard isFolded else { return nil }
    }
    return comparison.comparator.rawValue + comparison.options.text
  }

  private static func beginsWithWildcard(_ pattern: Value?) -> Bool {
    guard case .string(let text)? = pattern else { return false }
    return text.hasPrefix("*") || text.hasPrefix("?")
  }
}
