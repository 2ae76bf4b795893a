/// A constraint over several attributes of which one may be missing.
enum OptionalInConstraintRule: LintRule {
  static let rule = ModelRule(
    "optional-in-constraint", "A uniqueness constraint over several attributes has an optional one.",
    reason: "An object that lacks one of the values never conflicts, however equal the others are.",
    remedy: "Make the attribute mandatory, with a default that stands for no value.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for (position, entity) in model.definition.entities.enumerated() {
      for (number, constraint) in entity.uniquenessConstraints.enumerated() where constraint.count > 1 {
        for (step, name) in constraint.enumerated() {
          guard case .attribute(let attribute) = model.property(name, of: position), attribute.isOptional
          else {
            continue
          }
          report.add(
            at: model.path(position).item("uniquenessConstraints", number).index(step),
            "\(entity.name) objects without \(name) may be equal in "
              + "\(constraint.filter { $0 != name }.joined(separator: ", ")).")
        }
      }
    }
  }
}
