import GraphStorePredicates

/// Finds what the original SQLite store refuses: paths over two to-many relationships, a second quantifier,
/// a quantifier with CONTAINS, and functions of this library's own.
struct PortabilityAdvice {
  private(set) var warnings: [QueryPredicateError] = []
  private var scope: AdviceScope
  private var quantifiers = 0

  init(_ checker: PredicateTypeChecker) {
    scope = AdviceScope(checker)
  }

  mutating func visit(_ predicate: QueryPredicate) {
    switch predicate {
    case .constant, .block: break
    case .and(let members), .or(let members): for member in members { visit(member) }
    case .not(let operand): visit(operand)
    case .comparison(let comparison):
      judge(comparison)
      visit(comparison.left)
      visit(comparison.right)
    }
  }

  private mutating func judge(_ comparison: QueryComparison) {
    guard comparison.modifier != .direct else { return }
    quantifiers += 1
    let word = comparison.modifier.rawValue
    if quantifiers > 1 {
      warn(
        "A second quantifier in one predicate is refused by the original SQLite store.",
        hint: "Use SUBQUERY(…).@count for one of the two.", at: comparison.sourceRange, comparison.description
      )
    }
    if comparison.comparator == .contains {
      warn(
        "\(word) with CONTAINS is refused by the original SQLite store.",
        hint: "Use SUBQUERY(…).@count > 0.", at: comparison.sourceRange, comparison.description)
    }
  }

  private mutating func visit(_ expression: QueryExpression) {
    if let path = scope.path(of: expression) {
      let count = (path.steps + path.operand).count(where: \.isToMany)
      if count > 1 {
        warn(
          "The original SQLite store follows one to-many relationship in a key path, and this one has \(count).",
          hint: "Use SUBQUERY over the first and the rest of the path inside.", at: expression.sourceRange,
          expression.description)
      }
    }
    if case .function(let function, _) = expression.kind, function.isOwn {
      warn(
        "\(function.rawValue) is a function of this library's own, which no other store knows.",
        hint: "Compute it where the predicate is made, or keep the result in an attribute.",
        at: expression.sourceRange, expression.description)
    }
    for child in expression.children { visit(child) }
    guard case .subquery(let collection, let variable, let predicate) = expression.kind else {
      for inner in expression.childPredicates { visit(inner) }
      return
    }
    var inner = self
    inner.scope = scope.adding(variable, memberOf: collection)
    inner.visit(predicate)
    warnings = inner.warnings
    quantifiers = inner.quantifiers
  }

  private mutating func warn(_ message: String, hint: String, at range: SourceRange?, _ subject: String) {
    warnings.append(
      QueryPredicateError(
        .notPortable, message, source: scope.checker.source, range: range, hint: hint, subject: subject))
  }
}
