import GraphStorePredicates

/// A validation that does not fit the values it is about.
enum ValidationCannotRunRule: LintRule {
  static let rule = ModelRule(
    "validation-cannot-run", "A validation of an attribute does not fit the attribute's type.",
    reason: "No object that has a value can be saved: the check itself fails.",
    remedy: "Write the predicate about SELF, which is the value.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for (attribute, path) in model.describedAttributes { look(at: attribute, path, &report) }
  }

  private static func look(at attribute: AttributeDescription, _ path: ModelPath, _ report: inout LintReport)
  {
    for (position, validation) in attribute.validations.enumerated() {
      let validator = PredicateTypeChecker(attribute: attribute, source: validation.text)
      for problem in validator.problems(in: validation.predicate) {
        report.add(
          at: path.item("validations", position).key("predicate"),
          "The validation \(validation.text) of \(attribute) cannot run: \(problem.message)",
          remedy: problem.hint)
      }
    }
  }
}
