/// A delete rule that leaves references to deleted objects (MDL-345).
enum NoActionRule: LintRule {
  static let rule = ModelRule(
    "no-action", "A relationship with an inverse has delete rule noAction.",
    reason: "Deleting leaves the other end with references to objects that are gone.",
    remedy: "Make the delete rule nullify, unless the program mends the other end itself.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for (position, relationship) in model.relationships.enumerated()
    where relationship.definition.deleteRule == .noAction {
      guard let inverse = model.inverse(of: position) else { continue }
      report.add(
        at: relationship.path,
        "Deleting \(NullifyIntoMandatoryRule.article(model.name(relationship.entity))) leaves \(inverse.label) leading to it."
      )
    }
  }
}
