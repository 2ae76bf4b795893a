import GraphStore

/// Readings of a predicate that are allowed and seldom meant: told where they explain a result.
struct PredicateHints {
  private let predicate: QueryPredicate
  private let variables: [String: Value]

  init(_ predicate: QueryPredicate, variables: [String: Value]) {
    self.predicate = predicate
    self.variables = variables
  }

  /// What is told of a predicate that selected so many objects.
  func warnings(selected count: Int) -> [Diagnostic] {
    var warnings: [Diagnostic] = []
    visit(predicate) { comparison in
      guard let text = text(of: comparison.right) else { return }
      if comparison.comparator == .like, count == 0, text.contains("%"), !text.contains("*"),
        !text.contains("?")
      {
        warnings.append(
          Self.warning(
            "like-without-wildcard", "LIKE takes * for any characters and ? for one; % stands for itself",
            hint: "write \"\(text.replacing("%", with: "*"))\""))
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

  /// Nobody writes a predicate by hand that nests deeper.
  private static let deepest = 50

  private func visit(_ predicate: QueryPredicate, depth: Int = 0, _ body: (QueryComparison) -> Void) {
    guard depth < Self.deepest else { return }
    switch predicate {
    case .comparison(let comparison): body(comparison)
    case .and(let members), .or(let members): for member in members { visit(member, depth: depth + 1, body) }
    case .not(let operand): visit(operand, depth: depth + 1, body)
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
  /// Tells of conditions that were probably meant otherwise.
  ///
  /// - Parameter count: How many objects they have selected.
  func warn(selected count: Int, in session: CommandSession) {
    guard !session.settings.isQuiet else { return }
    for condition in conditions {
      PredicateHints(condition.predicate, variables: request.variables).warnings(selected: count)
        .forEach { session.report($0) }
    }
  }
}
