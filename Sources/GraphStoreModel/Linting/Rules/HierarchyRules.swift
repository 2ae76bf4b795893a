/// An entity that can have no objects at all (MDL-351).
enum AbstractLeafRule: LintRule {
  static let rule = ModelRule(
    "abstract-leaf", "An abstract entity has no concrete sub-entity.",
    reason: "There can never be an object of it.",
    remedy: "Take \"abstract\" away, or give it a concrete sub-entity.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for (position, entity) in model.definition.entities.enumerated() where entity.isAbstract {
      guard model.family(of: position).allSatisfy({ model.definition.entities[$0].isAbstract }) else {
        continue
      }
      report.add(at: model.path(position), "\(entity.name) is abstract and has no concrete sub-entity.")
    }
  }
}

/// A tree of entities whose common table is very wide (MDL-091).
enum WideHierarchyRule: LintRule {
  static let rule = ModelRule(
    "wide-hierarchy", "The entities of one tree need more than 100 columns in their common table.",
    reason: "Each row of a tree has a place for the properties of every entity in it.",
    remedy: "Split the tree, or turn inheritance into a relationship to an entity of common properties.")

  private static let limit = 100

  static func check(_ model: LintedModel, report: inout LintReport) {
    for (position, entity) in model.definition.entities.enumerated() where model.parent(of: position) == nil {
      let family = model.family(of: position)
      let count = family.reduce(0) { $0 + columns(of: model.definition.entities[$1]) }
      guard count > limit, family.count > 1 else { continue }
      report.add(
        at: model.path(position),
        "\(entity.name) and its \(family.count - 1) sub-entities share a table of \(count) columns.")
    }
  }

  private static func columns(of entity: EntityDefinition) -> Int {
    entity.attributes.reduce(0) { $0 + columns(of: $1) }
      + entity.relationships.count { !$0.isToMany && !$0.isTransient }
  }

  private static func columns(of attribute: AttributeDefinition) -> Int {
    if attribute.isTransient { return 0 }
    return attribute.type == .composite ? attribute.elements.reduce(0) { $0 + columns(of: $1) } : 1
  }
}
