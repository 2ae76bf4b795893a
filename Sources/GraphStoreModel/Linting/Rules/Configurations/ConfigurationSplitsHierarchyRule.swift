/// A configuration with a part of a tree (MDL-256).
enum ConfigurationSplitsHierarchyRule: LintRule {
  static let rule = ModelRule(
    "configuration-splits-hierarchy", "A configuration has some entities of an inheritance tree and not all.",
    reason: "Fetches on the parent miss the objects of the entities that are elsewhere.",
    remedy: "Add the missing entities to the configuration.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
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
