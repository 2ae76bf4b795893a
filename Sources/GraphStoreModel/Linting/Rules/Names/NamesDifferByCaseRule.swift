/// Properties of one entity that are easily mistaken for each other (MDL-063).
enum NamesDifferByCaseRule: LintRule {
  static let rule = ModelRule(
    "names-differ-by-case", "Two properties of an entity have names that differ in case only.",
    reason: "They are easily mistaken for each other, and formats that ignore case cannot tell them apart.",
    remedy: "Give one of them another name.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
    let own = model.definition.entities.map(properties)
    var folded: [[String: String]] = own.map { properties in
      Dictionary(properties.map { ($0.name.lowercased(), $0.name) }, uniquingKeysWith: { first, _ in first })
    }
    for (position, properties) in own.enumerated() {
      let ancestors = model.lineage(of: position).dropFirst()
      for property in properties {
        let key = property.name.lowercased()
        let inherited = ancestors.lazy.compactMap { folded[$0][key] }.first
        let other = inherited ?? folded[position][key]
        if let other, other != property.name {
          report.add(
            at: property.path(model.path(position)).key("name"),
            "\(model.name(position)).\(property.name) and \(other) differ in case only.")
        }
        if folded[position][key] == nil { folded[position][key] = property.name }
      }
    }
  }

  private struct Property {
    let name: String
    let list: String
    let number: Int

    func path(_ entity: ModelPath) -> ModelPath { entity.item(list, number) }
  }

  private static func properties(of entity: EntityDefinition) -> [Property] {
    entity.attributes.enumerated().map { Property(name: $1.name, list: "attributes", number: $0) }
      + entity.relationships.enumerated().map { Property(name: $1.name, list: "relationships", number: $0) }
      + entity.fetchedProperties.enumerated().map {
        Property(name: $1.name, list: "fetchedProperties", number: $0)
      }
  }
}
