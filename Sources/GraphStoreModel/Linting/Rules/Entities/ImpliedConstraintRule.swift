/// A constraint that follows from another one.
enum ImpliedConstraintRule: LintRule {
  static let rule = ModelRule(
    "implied-constraint", "A uniqueness constraint follows from one over fewer of its attributes.",
    reason: "What is unique alone is unique together with anything; the index is maintained for nothing.",
    remedy: "Remove the wider constraint, or the narrower one if it asks too much.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for (position, entity) in model.definition.entities.enumerated() {
      guard !entity.uniquenessConstraints.isEmpty else { continue }
      let known = model.lineage(of: position).flatMap { model.definition.entities[$0].uniquenessConstraints }
        .filter { !$0.isEmpty }.map { (names: $0, attributes: Set($0)) }
      for (number, constraint) in entity.uniquenessConstraints.enumerated() {
        let attributes = Set(constraint)
        guard let narrower = known.first(where: { $0.attributes.isStrictSubset(of: attributes) })?.names
        else {
          continue
        }
        report.add(
          at: model.path(position).item("uniquenessConstraints", number),
          "\(entity.name) asks for unique \(constraint.joined(separator: ", ")), which follows from unique "
            + "\(narrower.joined(separator: ", ")).")
      }
    }
  }
}
