import GraphStore

/// Readings of a predicate that are allowed and seldom meant: told where they explain a result.
package struct PredicateHints {
  private let predicate: QueryPredicate
  private let variables: [String: Value]

  /// Hints about a predicate, whose variables have values.
  package init(_ predicate: QueryPredicate, variables: [String: Value]) {
    self.predicate = predicate
    self.variables = variables
  }

  /// What is told of a predicate that selected so many objects.
  package func warnings(selected count: Int) -> [Diagnostic] {
    var warnings: [Diagnostic] = []
    visit(predicate) { comparison, isNegated in
      guard let text = text(of: comparison.right) else { return }
      if comparison.comparator == .like, count == 0 || isNegated, Self.isPatternOfSQL(text) {
        warnings.append(
          Self.warning(
            "like-without-wildcard",
            "LIKE takes * for any characters and ? for one; % and _ stand for themselves",
            hint: "write \"\(text.replacing("%", with: "*").replacing("_", with: "?"))\""))
      }
      if comparison.comparator == .in, case .variable(let name) = comparison.right.kind, text.contains(",") {
        let items = text.split(separator: ",").map { "\"\($0)\"" }.joined(separator: ",")
        warnings.append(
          Self.warning(
            "in-text", "$\(name) is one text, and IN looks for the left side within it",
            hint: "a list is written as JSON: --var '\(name):=[\(items)]'"))
      }
    }
    return warnings
  }

  /// Whether a pattern has the wildcards of SQL alone.
  private static func isPatternOfSQL(_ text: String) -> Bool {
    text.contains { "%_".contains($0) } && !text.contains { "*?".contains($0) }
  }

  /// Nobody writes a predicate by hand that nests deeper.
  private static let deepest = 50

  /// Hands over each comparison, and whether it is negated: one that finds nothing selects all then.
  private func visit(
    _ predicate: QueryPredicate, isNegated: Bool = false, depth: Int = 0,
    _ body: (QueryComparison, Bool) -> Void
  ) {
    guard depth < Self.deepest else { return }
    switch predicate {
    case .comparison(let comparison): body(comparison, isNegated)
    case .and(let members), .or(let members):
      for member in members { visit(member, isNegated: isNegated, depth: depth + 1, body) }
    case .not(let operand): visit(operand, isNegated: !isNegated, depth: depth + 1, body)
    case .constant, .block: break
    }
  }

  /// The text that an expression stands for.
  private func text(of expression: QueryExpression) -> String? {
    switch expression.kind {
    case .constant(.string(let text)): text
    case .variable(let name): if case .string(let text)? = variables[name] { text } else { nil }
    default: nil
    }
  }

  private static func warning(_ code: String, _ message: String, hint: String) -> Diagnostic {
    Diagnostic(.warning, code: code, message: message, hints: [hint], exitCode: .success)
  }
}

extension EntityQuery {
  /// What is told of conditions that were probably meant otherwise.
  ///
  /// - Parameter count: How many objects they have selected.
  package func warnings(selected count: Int) -> [Diagnostic] {
    (conditions.map(\.predicate) + [selection?.having?.predicate].compactMap(\.self)).flatMap {
      PredicateHints($0, variables: request.variables).warnings(selected: count)
    }
  }
}
