import GraphStorePredicates

extension MappingChecker {
  /// Checks the names in the property mappings of an entity mapping.
  mutating func checkProperties(of found: ListedEntityMapping) {
    let lists = [
      (key: "attributes", list: found.mapping.attributeMappings),
      (key: "relationships", list: found.mapping.relationshipMappings),
    ]
    for (key, list) in lists {
      guard let entity = found.destination else {
        if !list.isEmpty {
          report(
            ModelProblem(
              .mappingNotApplicable, at: found.path.key(key),
              message: "There is no destination entity that could have properties."), in: found.part)
        }
        continue
      }
      var names: Set<String> = []
      for (position, mapping) in list.enumerated() {
        let path = found.path.item(key, position)
        if !names.insert(mapping.name).inserted {
          report(
            ModelProblem(
              .mappingDuplicateName, at: path.key("name"), value: mapping.name,
              message: "The value of \"\(mapping.name)\" is stated twice."), in: found.part)
        }
        checkProperty(mapping, of: entity, key: key, at: path, in: found)
      }
    }
  }

  private mutating func checkProperty(
    _ mapping: PropertyMapping, of entity: EntityDescription, key: String, at path: ModelPath,
    in found: ListedEntityMapping
  ) {
    let property = entity.property(named: mapping.name)
    switch property {
    case let attribute as AttributeDescription where key == "attributes":
      if attribute.isDerived || attribute.isTransient {
        report(
          ModelProblem(
            .mappingNotApplicable, at: path.key("name"), value: mapping.name,
            message: "\(entity.name).\(mapping.name) is "
              + (attribute.isDerived ? "derived: the store computes it." : "transient: no store keeps it."),
            remedy: "Leave it out."), in: found.part)
      }
    case let relationship as RelationshipDescription where key == "relationships":
      if mapping.value != .inferred { state(relationship) }
    default:
      report(unknown(mapping.name, property, of: entity, key: key, at: path.key("name")), in: found.part)
      return
    }
    if let property { checkExpression(of: mapping, for: property, at: path, in: found) }
  }

  private func unknown(
    _ name: String, _ property: PropertyDescription?, of entity: EntityDescription, key: String,
    at path: ModelPath
  ) -> ModelProblem {
    let kind = key == "attributes" ? "attribute" : "relationship"
    let names = key == "attributes" ? entity.attributes.map(\.name) : entity.relationships.map(\.name)
    let remedy: String? =
      switch property {
      case is AttributeDescription: "It is an attribute: put it into \"attributes\"."
      case is RelationshipDescription: "It is a relationship: put it into \"relationships\"."
      case .some: "It is a fetched property, which holds nothing."
      case nil: nil
      }
    return ModelProblem(
      .mappingUnknownProperty, at: path, value: name,
      message: "\(entity.name) of the destination model has no \(kind) \"\(name)\".",
      suggestion: property == nil ? NearestNames.names(near: name, among: names).first : nil, remedy: remedy)
  }

  /// Refuses the name of an entity mapping that there is not, or that runs later than the objects are needed
  /// (MIG-137, MIG-227).
  ///
  /// - Returns: What the mapping takes and makes; nil where there is none.
  @discardableResult
  mutating func checkReference(
    to name: String, at path: ModelPath, in found: ListedEntityMapping
  ) -> MappingTarget? {
    guard let target = targets[name] else {
      let isAbstract = listed.contains { $0.isAbstract && $0.mapping.name == name }
      report(
        ModelProblem(
          .mappingUnknownMapping, at: path, value: name,
          message: isAbstract
            ? "The entity mapping \"\(name)\" is between abstract entities and makes no objects."
            : "There is no entity mapping \"\(name)\".",
          suggestion: isAbstract ? nil : NearestNames.names(near: name, among: targets.keys.sorted()).first),
        in: found.part)
      return nil
    }
    guard target.part > found.part else { return target }
    report(
      ModelProblem(
        .mappingBadValue, at: path, value: name,
        message:
          "The entity mapping \"\(name)\" belongs to a later mapping of this step: its objects are not there yet.",
        remedy: "State the other side of the relationship in the later mapping."), in: found.part)
    return target
  }
}
