/// Lint rules over two versions that follow each other.
struct VersionSuccession {
  private let difference: ModelDifference
  private let former: String

  /// - Parameter former: the name of the version before.
  init(_ difference: ModelDifference, from former: String) {
    self.difference = difference
    self.former = former
  }

  /// The findings in the newer version, in document order.
  var findings: [ModelProblem] {
    var findings = indistinguishable
    for (position, entity) in difference.new.entities.enumerated() {
      let path = ModelPath().item("entities", position)
      findings += uselessIdentifiers(entity, at: path)
      findings += maybeRenamed(entity, at: path)
    }
    return ModelProblem.inDocumentOrder(findings)
  }

  private var indistinguishable: [ModelProblem] {
    guard !difference.needsMigration else { return [] }
    return [
      ModelProblem.warning(
        ModelProblem.Code(ModelRule.versionsIndistinguishable.id), at: ModelPath(),
        message: "Stores of version \(former) cannot be told from stores of this version.",
        remedy: ModelRule.versionsIndistinguishable.remedy)
    ]
  }

  // MARK: Renaming identifiers

  private func uselessIdentifiers(_ entity: EntityDescription, at path: ModelPath) -> [ModelProblem] {
    let definition = difference.new.definition.entities[entity.index]
    var findings: [ModelProblem] = []
    if let identifier = definition.renamingIdentifier,
      !difference.old.entities.contains(where: { isMeant($0.name, $0.renamingIdentifier, by: identifier) })
    {
      findings.append(useless(identifier, of: entity.name, at: path))
    }
    guard let source = difference.pairing.source(of: entity) else { return findings }
    for (property, place) in Self.ownProperties(entity, path) {
      let identifier = property.renamingIdentifier
      guard identifier != property.name,
        !source.properties.contains(where: { isMeant($0.name, $0.renamingIdentifier, by: identifier) })
      else { continue }
      findings.append(useless(identifier, of: "\(entity.name).\(property.name)", at: place))
    }
    return findings
  }

  private func isMeant(_ name: String, _ canonicalName: String, by identifier: String) -> Bool {
    name == identifier || canonicalName == identifier
  }

  private func useless(_ identifier: String, of label: String, at path: ModelPath) -> ModelProblem {
    ModelProblem.warning(
      ModelProblem.Code(ModelRule.renamingToNothing.id), at: path.key("renamingIdentifier"),
      message: "\(label) was \(identifier), it says, and there is no \(identifier) in version \(former).",
      remedy: ModelRule.renamingToNothing.remedy)
  }

  // MARK: Renames without identifier

  private func maybeRenamed(_ entity: EntityDescription, at path: ModelPath) -> [ModelProblem] {
    guard let source = difference.pairing.source(of: entity) else { return [] }
    let gone = source.ownProperties.filter {
      Self.kind(of: $0) != nil && difference.pairing.destination(of: $0, in: source) == nil
    }
    let added = Self.ownProperties(entity, path).filter {
      difference.pairing.source(of: $0.property, in: entity) == nil
    }
    return added.compactMap { new, place in
      guard new.renamingIdentifier == new.name, let kind = Self.kind(of: new) else { return nil }
      let candidates = gone.filter { Self.kind(of: $0) == kind }
      let rivals = added.filter { Self.kind(of: $0.property) == kind }
      guard candidates.count == 1, rivals.count == 1, let old = candidates.first else { return nil }
      return ModelProblem.warning(
        ModelProblem.Code(ModelRule.maybeRenamed.id), at: place.key("name"),
        message:
          "\(entity.name).\(new.name) appears and \(old.name) of version \(former) vanishes, both \(kind).",
        remedy: "If it was renamed add \"renamingIdentifier\": \"\(old.name)\"; else its values are removed.")
    }
  }

  /// The kind of a property, in a word; nil for one that is not stored.
  private static func kind(of property: PropertyDescription) -> String? {
    if property.isTransient { return nil }
    switch property {
    case let attribute as AttributeDescription: return attribute.type.rawValue
    case let relationship as RelationshipDescription:
      return relationship.isToMany
        ? "to-many \(relationship.destination)" : "to-one \(relationship.destination)"
    default: return nil
    }
  }

  /// The attributes and relationships that an entity declares, with their paths.
  private static func ownProperties(
    _ entity: EntityDescription, _ path: ModelPath
  ) -> [(property: PropertyDescription, path: ModelPath)] {
    let own = entity.ownProperties
    let attributes = own.compactMap { $0 as? AttributeDescription }
    let relationships = own.compactMap { $0 as? RelationshipDescription }
    return attributes.enumerated().map { ($1, path.item("attributes", $0)) }
      + relationships.enumerated().map { ($1, path.item("relationships", $0)) }
  }
}
