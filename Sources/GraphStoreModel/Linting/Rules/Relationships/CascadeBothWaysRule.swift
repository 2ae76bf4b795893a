/// Two ends that delete each other (MDL-346).
enum CascadeBothWaysRule: LintRule {
  static let rule = ModelRule(
    "cascade-both-ways", "A relationship and its inverse both have delete rule cascade, and one is to-many.",
    reason: "Deleting one member deletes the other end and with it all the other members.",
    remedy: "Keep cascade on the side that owns the other, and make the other side nullify.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for (position, relationship) in model.relationships.enumerated() {
      guard let other = model.inverses[position], position <= other, isMet(at: position, in: model) else {
        continue
      }
      let inverse = model.relationships[other]
      let pair =
        position == other
        ? "\(relationship.label), its own inverse, cascades to many:"
        : "\(relationship.label) and \(inverse.label) cascade both ways:"
      report.add(at: relationship.path, "\(pair) deleting one object deletes all that are connected with it.")
    }
  }

  /// Whether the relationship at a position is an end of such a pair.
  static func isMet(at position: Int, in model: LintedModel) -> Bool {
    guard let inverse = model.inverse(of: position) else { return false }
    let relationship = model.relationships[position]
    return relationship.definition.deleteRule == .cascade && inverse.definition.deleteRule == .cascade
      && (relationship.definition.isToMany || inverse.definition.isToMany)
  }
}
