import GraphStorePredicates

/// A stored predicate that the original SQLite store refuses (PRD-257).
enum NotPortableRule: LintRule {
  static let rule = ModelRule(
    "not-portable", "A stored predicate has a form that the original SQLite store refuses.",
    reason: "The model works here and fails in programs that use the original framework.",
    remedy: "Use SUBQUERY for all but one to-many step or quantifier.", isOptIn: true)

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for request in StoredRequest.all(in: model) {
      guard let predicate = request.predicate else { continue }
      for warning in request.validator.warnings(in: predicate, portable: true)
      where warning.code == .notPortable {
        report.add(
          at: request.path.key("predicate"), "In \(request.label): \(warning.message)", remedy: warning.hint)
      }
    }
  }
}
