import GraphStoreModel

extension MigrationStep {
  /// Tells each entity and property mapping, and what is left behind (MIG-302).
  func describe(to log: MigrationLog) {
    guard log.level >= .mappings else { return }
    for mapping in mappings.flatMap(\.entityMappings) {
      let ends = "\(mapping.source?.name ?? "nothing") to \(mapping.destination?.name ?? "nothing")"
      log.write(
        .mappings, "  \(mapping.name): \(ends), \(mapping.kind.rawValue), \(Self.origin(mapping.isInferred))")
      for attribute in mapping.attributes {
        log.write(
          .mappings,
          "    \(attribute.attribute.name): \(Self.text(attribute.value)), \(Self.origin(attribute.isInferred))"
        )
      }
      for relationship in mapping.relationships {
        log.write(
          .mappings,
          "    \(relationship.relationship.name): \(Self.text(relationship.value)), "
            + Self.origin(relationship.isInferred))
      }
    }
    for loss in losses { log.write(.mappings, "  left behind: \(loss.path): \(loss.reason)") }
  }

  private static func origin(_ isInferred: Bool) -> String { isInferred ? "inferred" : "written" }

  private static func text(_ value: CheckedAttributeMapping.Source) -> String {
    switch value {
    case .defaultValue: "default"
    case .attribute(let attribute): "$source.\(attribute.name)"
    case .expression(let expression): "\(expression)"
    case .derived: "derived"
    }
  }

  private static func text(_ value: CheckedRelationshipMapping.Source) -> String {
    switch value {
    case .empty: "empty, or the inverse's"
    case .relationship(let relationship): "$source.\(relationship.name)"
    case .objects(let mapping, let expression): "objects of \(mapping) from \(expression)"
    case .expression(let expression): "\(expression)"
    }
  }
}
