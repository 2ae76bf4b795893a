/// Names that are not written as is customary (MDL-350).
enum NameStyleRule: LintRule {
  static let rule = ModelRule(
    "name-style", "An entity starts lower-case or ends in Entity, or a property starts upper-case.",
    reason:
      "Names become types and members of Swift, where readers expect types upper-case and members lower-case.",
    remedy: "Rename it, with the old name as its \"renamingIdentifier\" where stores exist.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for (position, entity) in model.definition.entities.enumerated() {
      let path = model.path(position)
      if entity.name.first?.isLowercase == true {
        report.add(at: path.key("name"), "The entity \(entity.name) starts with a lower-case letter.")
      }
      if entity.name.hasSuffix("Entity"), entity.name != "Entity" {
        report.add(at: path.key("name"), "The entity \(entity.name) says in its name that it is one.")
      }
      let relationships = entity.relationships.enumerated().map { ($1.name, path.item("relationships", $0)) }
      let fetched = entity.fetchedProperties.enumerated().map {
        ($1.name, path.item("fetchedProperties", $0))
      }
      for (name, place) in relationships + fetched {
        look(at: name, "\(entity.name).\(name)", path: place, report: &report)
      }
    }
    for attribute in model.attributes {
      look(at: attribute.definition.name, attribute.label, path: attribute.path, report: &report)
    }
  }

  private static func look(at name: String, _ label: String, path: ModelPath, report: inout LintReport) {
    guard name.first?.isUppercase == true else { return }
    report.add(at: path.key("name"), "The property \(label) starts with an upper-case letter.")
  }
}
