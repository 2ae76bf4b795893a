import GraphStorePredicates

/// A default that the attribute itself refuses (MDL-153).
enum DefaultBreaksConstraintRule: LintRule {
  static let rule = ModelRule(
    "default-breaks-constraint", "A default breaks a constraint or a validation of its own attribute.",
    reason: "Every new object is invalid until the program has set another value.",
    remedy: "Change the default or the constraint; without a default the value starts as missing.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for (attribute, path) in model.describedAttributes { look(at: attribute, path, &report) }
  }

  private static func look(at attribute: AttributeDescription, _ path: ModelPath, _ report: inout LintReport)
  {
    guard !attribute.defaultValue.isNull else { return }
    for violation in attribute.validate(attribute.defaultValue) {
      report.add(
        at: path.key("default"), "The default of \(attribute) breaks a constraint: \(violation.message).")
    }
    let validator = PredicateTypeChecker(attribute: attribute)
    for validation in attribute.validations {
      guard let predicate = try? validator.check(validation.predicate),
        let holds = try? PredicateEvaluator(predicate).evaluate(.value(attribute.defaultValue)), !holds
      else { continue }
      report.add(
        at: path.key("default"), "The default of \(attribute) breaks the validation \(validation.text).")
    }
  }
}
