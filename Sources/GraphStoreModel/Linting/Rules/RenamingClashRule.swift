/// Two parts that claim to be the same part of the version before (MIG-067).
enum RenamingClashRule: LintRule {
  static let rule = ModelRule(
    "renaming-clash", "Two entities, or two properties of an entity, claim one part of the version before.",
    reason: "A migration cannot give one value to both and is refused.",
    remedy: "Take \"renamingIdentifier\" away from the one that is new, or give the other one its own.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    let entities = model.definition.entities
    check(
      entities.enumerated().map { ($1.name, $1.renamingIdentifier, model.path($0)) }, prefix: "",
      report: &report)
    for (position, entity) in entities.enumerated() {
      let own = properties(of: entity, model.path(position))
      guard own.contains(where: { $0.identifier != nil }) else { continue }
      let inherited = model.lineage(of: position).dropFirst().flatMap {
        properties(of: entities[$0], model.path($0))
      }
      check(own, besides: inherited, prefix: "\(entity.name).", report: &report)
    }
  }

  private typealias Part = (name: String, identifier: String?, path: ModelPath)

  private static func properties(of entity: EntityDefinition, _ path: ModelPath) -> [Part] {
    entity.attributes.enumerated().map { ($1.name, $1.renamingIdentifier, path.item("attributes", $0)) }
      + entity.relationships.enumerated().map {
        ($1.name, $1.renamingIdentifier, path.item("relationships", $0))
      }
  }

  private static func check(
    _ parts: [Part], besides others: [Part] = [], prefix: String, report: inout LintReport
  ) {
    let claims = Dictionary(grouping: others + parts) { $0.identifier ?? $0.name }
    for part in parts {
      guard let identifier = part.identifier,
        let rival = claims[identifier]?.first(where: { $0.name != part.name })
      else { continue }
      report.add(
        at: part.path.key("renamingIdentifier"),
        "\(prefix)\(part.name) and \(prefix)\(rival.name) both claim to be \(identifier) of the version before."
      )
    }
  }
}
