/// A relationship whose ends cannot be in one store (MDL-255).
enum RelationshipCrossesConfigurationsRule: LintRule {
  static let rule = ModelRule(
    "relationship-crosses-configurations", "A relationship joins entities that share no configuration.",
    reason: "Where each configuration has a store of its own, a link between two stores is refused at save.",
    remedy: "Put both entities into one configuration, or use a fetched property.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
    var memberships: [Int: Set<Int>] = [:]
    for (number, configuration) in model.definition.configurations.enumerated() {
      for name in configuration.entities {
        if let entity = model.entity(named: name) { memberships[entity, default: []].insert(number) }
      }
    }
    guard memberships.count > 1 else { return }
    for (position, relationship) in model.relationships.enumerated() {
      // Of a pair the first is enough.
      if let inverse = model.inverses[position], inverse < position { continue }
      guard let destination = relationship.destination, let here = memberships[relationship.entity],
        let there = memberships[destination], here.isDisjoint(with: there)
      else { continue }
      report.add(
        at: relationship.path,
        "\(relationship.label) leads from \(names(here, model)) to \(relationship.definition.destination) of "
          + "\(names(there, model)).")
    }
  }

  private static func names(_ configurations: Set<Int>, _ model: LintedModel) -> String {
    let names = configurations.sorted().map { "\"\(model.definition.configurations[$0].name)\"" }
    return (names.count == 1 ? "configuration " : "configurations ") + names.joined(separator: ", ")
  }
}
