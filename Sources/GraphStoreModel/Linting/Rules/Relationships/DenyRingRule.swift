/// Objects that forbid each other's deletion, so that none of them can ever go alone.
enum DenyRingRule: LintRule {
  static let rule = ModelRule(
    "deny-ring", "Relationships with delete rule deny lead in a ring and cannot be emptied one by one.",
    reason: "None of the objects can be deleted before the others; all of them must go in one save.",
    remedy: "Make the delete rule of one of them nullify or cascade.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
    let pairs = Set(model.relationships.indices.filter { isPair($0, in: model) })
    for position in pairs.sorted() {
      guard let other = model.inverses[position], position <= other else { continue }
      let relationship = model.relationships[position]
      let names =
        position == other
        ? "\(relationship.label), its own inverse,"
        : "\(relationship.label) and \(model.relationships[other].label)"
      report.add(
        at: relationship.path,
        "\(names) both deny: of two objects that are linked neither can be deleted before the other.")
    }
    lookForRings(model, besides: pairs, &report)
  }

  private static func isPair(_ position: Int, in model: LintedModel) -> Bool {
    model.relationships[position].definition.deleteRule == .deny
      && model.inverse(of: position)?.definition.deleteRule == .deny
  }

  /// Rings of relationships that must have a value: these cannot be emptied first.
  private static func lookForRings(
    _ model: LintedModel, besides pairs: Set<Int>, _ report: inout LintReport
  ) {
    let positions = model.relationships.indices.filter { position in
      let definition = model.relationships[position].definition
      return definition.deleteRule == .deny && definition.requiresMember && !pairs.contains(position)
    }
    let graph = RelationshipGraph(positions, in: model)
    let components = graph.components()
    var reported: Set<Int> = []
    for (node, position) in positions.enumerated() where !reported.contains(components[node]) {
      guard let cycle = graph.cycle(through: node) else { continue }
      reported.insert(components[node])
      let way = cycle.map(\.label).joined(separator: " → ")
      report.add(
        at: model.relationships[position].path,
        "Each of these denies deletion and is mandatory: \(way). Objects that form a ring cannot be deleted one by one."
      )
    }
  }
}
