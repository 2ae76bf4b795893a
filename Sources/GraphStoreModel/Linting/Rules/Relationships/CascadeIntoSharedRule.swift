/// A cascade that takes objects from others.
enum CascadeIntoSharedRule: LintRule {
  static let rule = ModelRule(
    "cascade-into-shared", "A relationship with delete rule cascade leads to objects that others share.",
    reason: "What the deleted object shares with others is deleted although they still use it.",
    remedy: "Make the delete rule nullify, or the inverse to-one if each object has one owner only.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for (position, relationship) in model.relationships.enumerated()
    where relationship.definition.deleteRule == .cascade {
      guard let inverse = model.inverse(of: position), inverse.definition.isToMany,
        !CascadeBothWaysRule.isMet(at: position, in: model)
      else { continue }
      report.add(
        at: relationship.path,
        "Deleting \(NullifyIntoMandatoryRule.article(model.name(relationship.entity))) deletes "
          + "\(relationship.definition.destination) objects through \(relationship.definition.name) that others have "
          + "too, since \(inverse.label) is to-many.")
    }
  }
}
