/// Two constraints that ask the same (MDL-298).
enum DuplicateConstraintRule: LintRule {
  static let rule = ModelRule(
    "duplicate-constraint", "Two uniqueness constraints of an entity are over the same attributes.",
    reason: "Each is an index that every save maintains, and the second says nothing new.",
    remedy: "Remove one of them.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for (position, entity) in model.definition.entities.enumerated() {
      var first: [Set<String>: Int] = [:]
      for (number, constraint) in entity.uniquenessConstraints.enumerated() where !constraint.isEmpty {
        if let earlier = first[Set(constraint)] {
          report.add(
            at: model.path(position).item("uniquenessConstraints", number),
            "\(entity.name) asks for unique \(constraint.joined(separator: ", ")) already in "
              + "uniquenessConstraints[\(earlier)].")
        } else {
          first[Set(constraint)] = number
        }
      }
    }
  }
}
