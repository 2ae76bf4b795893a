import GraphStorePredicates

/// A stored request that every store refuses.
enum RequestCannotRunRule: LintRule {
  static let rule = ModelRule(
    "request-cannot-run", "A stored fetch request or fetched property fails whenever it is run.",
    reason: "The model loads, and the program fails where it uses the request.",
    remedy: "Mend the predicate or the sort keys.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for request in StoredRequest.all(in: model) {
      if let predicate = request.predicate {
        for problem in request.validator.problems(in: predicate) {
          report.add(
            at: request.path.key("predicate"),
            "The predicate of \(request.label) cannot run: \(problem.message)", remedy: problem.hint)
        }
      }
      for (position, descriptor) in request.sortDescriptors.enumerated() {
        do throws(QueryPredicateError) {
          _ = try request.validator.check([descriptor])
        } catch {
          report.add(
            at: request.path.item("sort", position),
            "The order of \(request.label) cannot run: \(error.message)",
            remedy: error.hint)
        }
      }
    }
  }
}

/// A stored predicate whose answer for objects without a value is easily mistaken (PRD-095).
enum MissingValueRule: LintRule {
  static let rule = ModelRule(
    "missing-value", "A stored predicate has != or NOT over an optional key without a test for nil.",
    reason: "A fetch leaves out the objects without a value, and a test in memory has them.",
    remedy: "Add OR KEY == nil to have them in both, AND KEY != nil in neither.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for request in StoredRequest.all(in: model) {
      guard let predicate = request.predicate else { continue }
      for warning in request.validator.warnings(in: predicate) where warning.code == .missingValue {
        report.add(
          at: request.path.key("predicate"), "In \(request.label): \(warning.message)", remedy: warning.hint)
      }
    }
  }
}
