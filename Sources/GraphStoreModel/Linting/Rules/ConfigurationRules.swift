/// A relationship whose ends cannot be in one store (MDL-255).
enum RelationshipCrossesConfigurationsRule: LintRule {
  static let rule = ModelRule(
    "relationship-crosses-configurations", "A relationship joins entities that share no configuration.",
    reason: "Where each configuration has a store of its own, a link between two stores is refused at save.",
    remedy: "Put both entities into one configuration, or use a fetched property.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    var memberships: [Int: Set<Int>] = [:]
    for (number, configuration) in model.definition.configurations.enumerated() {
      for name in configuration.entities {
        if let entity = model.entity(named: name) { memberships[entity, default: []].insert(number) }
      }
    }
    guard memberships.count > 1 else { return }
    for (position, relationship) in model.relationships.enumerated() {
      // The first of a pair is enough.
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

/// A configuration with a part of a tree (MDL-256).
enum ConfigurationSplitsHierarchyRule: LintRule {
  static let rule = ModelRule(
    "configuration-splits-hierarchy", "A configuration has some entities of an inheritance tree and not all.",
    reason: "Fetches on the parent miss the objects of the entities that are elsewhere.",
    remedy: "Add the missing entities to the configuration.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for (number, configuration) in model.definition.configurations.enumerated() {
      let members = Set(configuration.entities.compactMap { model.entity(named: $0) })
      var roots: Set<Int> = []
      for (step, name) in configuration.entities.enumerated() {
        guard let entity = model.entity(named: name), let root = model.lineage(of: entity).last,
          roots.insert(root).inserted
        else { continue }
        let missing = model.family(of: root).filter { !members.contains($0) }.sorted()
        guard !missing.isEmpty else { continue }
        let names = missing.map(model.name).joined(separator: ", ")
        report.add(
          at: ModelPath().item("configurations", number).item("entities", step),
          "Configuration \"\(configuration.name)\" has \(name) without \(names) of the same tree.",
          remedy: "Add \(names) to the configuration.")
      }
    }
  }
}
