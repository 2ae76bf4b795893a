import GraphStorePredicates

/// Finds inequalities and negations whose answer for objects without a value depends on where they are asked.
struct MissingValueAdvice {
  private(set) var warnings: [QueryPredicateError] = []
  private var scope: AdviceScope
  /// Key paths that the predicate compares with nil somewhere.
  private var tested: Set<String> = []

  init(_ checker: PredicateTypeChecker) {
    scope = AdviceScope(checker)
  }

  mutating func visit(_ predicate: QueryPredicate) {
    collectTests(predicate)
    visit(predicate, isNegated: false)
  }

  private mutating func collectTests(_ predicate: QueryPredicate) {
    switch predicate {
    case .constant, .block: break
    case .and(let members), .or(let members): for member in members { collectTests(member) }
    case .not(let operand): collectTests(operand)
    case .comparison(let comparison):
      if comparison.right.isNull { tested.insert(comparison.left.description) }
      if comparison.left.isNull { tested.insert(comparison.right.description) }
      collectTests(inside: comparison.left)
      collectTests(inside: comparison.right)
    }
  }

  private mutating func collectTests(inside expression: QueryExpression) {
    for inner in expression.childPredicates { collectTests(inner) }
    for child in expression.children { collectTests(inside: child) }
  }

  private mutating func visit(_ predicate: QueryPredicate, isNegated: Bool) {
    switch predicate {
    case .constant, .block: break
    case .and(let members), .or(let members):
      for member in members { visit(member, isNegated: isNegated) }
    case .not(let operand): visit(operand, isNegated: !isNegated)
    case .comparison(let comparison):
      if (comparison.comparator == .notEqual) != isNegated { judge(comparison, isNegated: isNegated) }
      visitParts(comparison.left)
      visitParts(comparison.right)
    }
  }

  private mutating func visitParts(_ expression: QueryExpression) {
    if case .subquery(let collection, let variable, let predicate) = expression.kind {
      var inner = self
      inner.scope = scope.adding(variable, memberOf: collection)
      inner.visit(predicate, isNegated: false)
      warnings = inner.warnings
      visitParts(collection)
      return
    }
    for condition in expression.childPredicates { visit(condition, isNegated: false) }
    for child in expression.children { visitParts(child) }
  }

  /// A quantified comparison, and membership in a relationship, is never unknown.
  private mutating func judge(_ comparison: QueryComparison, isNegated: Bool) {
    guard comparison.modifier == .direct, !comparison.left.isNull, !comparison.right.isNull else { return }
    for side in [comparison.left, comparison.right] {
      guard let path = scope.path(of: side), path.collectionOperator == nil, path.type.member == nil,
        let optional = path.steps.first(where: \.mayBeMissing), !tested.contains(side.description)
      else { continue }
      let written = (isNegated ? "NOT " : "") + comparison.description
      let text = isNegated ? "NOT (\(comparison.description))" : written
      let who = path.steps.count > 1 ? "objects whose \(side) is missing" : "objects without \(optional.name)"
      warnings.append(
        QueryPredicateError(
          .missingValue,
          "\(written) leaves out \(who) in a fetch, and has them when it is evaluated in memory.",
          source: scope.checker.source, range: comparison.sourceRange,
          hint:
            "Write \(text) OR \(side) == nil to have them in both, \(text) AND \(side) != nil in neither.",
          subject: comparison.description))
      return
    }
  }
}

extension QueryExpression {
  fileprivate var isNull: Bool { constantValue?.isNull == true }
}

extension ResolvedKeyPath.Step {
  /// Whether some objects have nothing there.
  fileprivate var mayBeMissing: Bool {
    switch self {
    case .attribute(let found): found.contains { $0.isOptional }
    case .element(let element): element.isOptional
    case .relationship(let found): found.contains { !$0.requiresMember }
    case .fetchedProperty, .objectID, .entity, .length: false
    }
  }

  fileprivate var name: String {
    switch self {
    case .attribute(let found): found.first?.name ?? ""
    case .element(let element): element.name
    case .relationship(let found): found.first?.name ?? ""
    case .fetchedProperty(let property): property.name
    case .objectID: "objectID"
    case .entity: "entity"
    case .length: "length"
    }
  }
}
