import GraphStorePredicates

/// Finds what the original SQLite store refuses: paths over two to-many relationships, a second quantifier,
/// a quantifier with CONTAINS, aggregates that it leaves to memory, and what is this library's own:
/// functions, sorting by expressions, places of missing values, and groups over a to-many.
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

  mutating func visit(_ descriptor: QuerySortDescriptor) {
    if descriptor.isComputed {
      warn(
        "The original SQLite store sorts by key paths, and this key is an expression.",
        hint: "Keep its value in an attribute, or sort the result.", at: descriptor.sourceRange,
        descriptor.keyText)
      visit(descriptor.expression)
    }
    if descriptor.nilPlacement != .usual(ascending: descriptor.ascending) {
      warn(
        ":\(descriptor.nilPlacement.rawValue) is this library's own: elsewhere nil stands before small values.",
        hint: "Sort by a key that is never nil, or the result.", at: descriptor.sourceRange,
        descriptor.description)
    }
  }

  /// Visits a grouping value.
  mutating func visit(group expression: QueryExpression) {
    visit(expression)
    guard crossesToMany(expression) else { return }
    warn(
      "Groups over a to-many are this library's own: the original SQLite store groups by the object's values.",
      hint: "Fetch the members, and group by their own.", at: expression.sourceRange, expression.description)
  }

  private func crossesToMany(_ expression: QueryExpression) -> Bool {
    if let path = scope.path(of: expression) {
      return path.collectionOperator == nil && path.steps.contains(where: \.isToMany)
    }
    switch expression.kind {
    case .subquery: return false
    case .function(let function, let arguments)
    where AggregateFunction(function, calledWith: arguments) != nil: return false
    default: return expression.children.contains(where: crossesToMany)
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

  mutating func visit(_ expression: QueryExpression) {
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
    if case .function(let function, _) = expression.kind, function.isOfMemoryElsewhere {
      warn(
        "\(function.rawValue) is computed in memory alone by the original, whose SQLite store refuses it.",
        hint: "Compute it of the values that are fetched.", at: expression.sourceRange,
        expression.description)
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

extension QueryFunction {
  /// Whether the original has the function, and no SQL for it.
  fileprivate var isOfMemoryElsewhere: Bool {
    switch self {
    case .median, .mode, .stddev: true
    default: false
    }
  }
}
