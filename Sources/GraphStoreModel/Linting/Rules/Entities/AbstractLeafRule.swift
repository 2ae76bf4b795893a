/// An entity that can have no objects at all (MDL-351).
enum AbstractLeafRule: LintRule {
  static let rule = ModelRule(
    "abstract-leaf", "An abstract entity has no concrete sub-entity.",
    reason: "There can never be an object of it.",
    remedy: "Take \"abstract\" away, or give it a concrete sub-entity.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for (position, entity) in model.definition.entities.enumerated() where entity.isAbstract {
      guard model.family(of: position).allSatisfy({ model.definition.entities[$0].isAbstract }) else {
        continue
      }
      report.add(at: model.path(position), "\(entity.name) is abstract and has no concrete sub-entity.")
    }
  }
}
