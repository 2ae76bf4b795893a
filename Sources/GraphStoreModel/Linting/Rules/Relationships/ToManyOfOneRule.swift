/// A to-many that can hold one object only.
enum ToManyOfOneRule: LintRule {
  static let rule = ModelRule(
    "to-many-of-one", "A to-many relationship may have at most one member.",
    reason: "It is a to-one in disguise: a set is loaded and kept where a reference would do.",
    remedy: "Take \"toMany\" away, or raise \"maxCount\".")

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for relationship in model.relationships
    where relationship.definition.isToMany && relationship.definition.maxCount == 1 {
      report.add(at: relationship.path, "\(relationship.label) is to-many and may have one member only.")
    }
  }
}
