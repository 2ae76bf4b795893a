/// A to-one relationship that nothing leads back from (MDL-343).
enum MissingInverseRule: LintRule {
  static let rule = ModelRule(
    "missing-inverse", "A to-one relationship has no inverse.",
    reason: "When the object at the other end is deleted, the reference to it is left dangling.",
    remedy: "Give the destination a relationship back and name each as the other's \"inverse\".")

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for relationship in model.relationships
    where !relationship.definition.isToMany && relationship.definition.inverse == nil {
      report.add(
        at: relationship.path,
        "\(relationship.label) leads to \(relationship.definition.destination) and has no inverse.",
        remedy: remedy(for: relationship, in: model))
    }
  }

  /// What to write where there is just one relationship back that has no inverse either.
  static func remedy(for relationship: LintedModel.Relationship, in model: LintedModel) -> String? {
    guard let destination = relationship.destination else { return nil }
    let owner = model.name(relationship.entity)
    let candidates = model.definition.entities[destination].relationships.filter {
      $0.destination == owner && $0.inverse == nil
        && !(destination == relationship.entity && $0.name == relationship.definition.name)
    }
    let rivals = model.definition.entities[relationship.entity].relationships.filter {
      $0.destination == relationship.definition.destination && $0.inverse == nil
    }
    guard candidates.count == 1, rivals.count == 1 || destination == relationship.entity else { return nil }
    let other = candidates[0].name
    return
      "If \(model.name(destination)).\(other) is the way back, add \"inverse\": \"\(other)\" here and "
      + "\"inverse\": \"\(relationship.definition.name)\" there."
  }
}
