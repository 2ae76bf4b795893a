/// A many-to-many with an order.
enum OrderedManyToManyRule: LintRule {
  static let rule = ModelRule(
    "ordered-many-to-many", "A many-to-many relationship is ordered.",
    reason:
      "Each link keeps its place: it takes more room, every load sorts, and two writers who move members conflict.",
    remedy: "Drop \"ordered\", sort by an attribute, or make the link an entity that holds the position.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for (position, relationship) in model.relationships.enumerated()
    where relationship.definition.isOrdered && relationship.definition.isToMany {
      guard let inverse = model.inverse(of: position), inverse.definition.isToMany else { continue }
      report.add(
        at: relationship.path,
        "\(relationship.label) is an ordered many-to-many, which costs a place for every link with \(inverse.label)."
      )
    }
  }
}
