/// A stored predicate whose answer for objects without a value is easily mistaken (PRD-095).
enum MissingValueRule: LintRule {
  static let rule = ModelRule(
    "missing-value", "A stored predicate has != or NOT over an optional key without a test for nil.",
    reason: "A fetch leaves out the objects without a value, and a test in memory has them.",
    remedy: "Add OR KEY == nil to have them in both, AND KEY != nil in neither.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for request in StoredRequest.all(in: model) {
      guard let predicate = request.predicate else { continue }
      for warning in request.validator.warnings(in: predicate) {
        report.add(
          at: request.path.key("predicate"), "In \(request.label): \(warning.message)", remedy: warning.hint)
      }
    }
  }
}
