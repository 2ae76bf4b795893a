/// A to-many relationship that nothing leads back from (MDL-343).
enum OneWayToManyRule: LintRule {
  static let rule = ModelRule(
    "one-way-to-many", "A to-many relationship has no inverse.",
    reason: "A member that is deleted stays in the sets of others, and no member knows whose it is.",
    remedy: "Give the destination a relationship back and name each as the other's \"inverse\".")

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for relationship in model.relationships
    where relationship.definition.isToMany && relationship.definition.inverse == nil {
      report.add(
        at: relationship.path,
        "\(relationship.label) leads to many \(relationship.definition.destination) and has no inverse.",
        remedy: MissingInverseRule.remedy(for: relationship, in: model))
    }
  }
}
