extension MappingChecker {
  /// What is stated for the properties of a destination entity, by name.
  struct Statements {
    var attributes: [String: PropertyMapping] = [:]
    var relationships: [String: PropertyMapping] = [:]
    /// Whether what is not stated for a property stays empty.
    var leavesOut: (PropertyDescription) -> Bool = { _ in false }
  }

  /// What an entity mapping states, and what it inherits from mappings between abstract entities (MIG-158).
  func statements(
    from source: EntityDescription?, to destination: EntityDescription, own: EntityMapping?
  ) -> Statements {
    var statements = Statements()
    let carriers = source.map { self.carriers(from: $0, to: destination) } ?? []
    for mapping in [own].compactMap({ $0 }) + carriers.map(\.mapping) {
      for stated in mapping.attributeMappings where statements.attributes[stated.name] == nil {
        statements.attributes[stated.name] = stated
      }
      for stated in mapping.relationshipMappings where statements.relationships[stated.name] == nil {
        statements.relationships[stated.name] = stated
      }
    }
    let isComplete = own?.isComplete == true
    let complete = carriers.filter(\.mapping.isComplete).compactMap(\.destination)
    statements.leavesOut = { property in
      isComplete || complete.contains { $0.property(named: property.name) === property }
    }
    return statements
  }

  /// The entity mappings of each part, with everything inferred that they leave out.
  mutating func complete() -> [[CheckedEntityMapping]] {
    judgeEntities()
    var checked: [[CheckedEntityMapping]] = Array(repeating: [], count: parts.count)
    for mapping in listed {
      let result = complete(mapping)
      if !mapping.isAbstract { checked[mapping.part].append(result) }
    }
    judgeAbstractPairs()
    for mapping in unlisted { checked[parts.count - 1].append(complete(mapping)) }
    return checked
  }

  private mutating func complete(_ found: ListedEntityMapping) -> CheckedEntityMapping {
    let mapping = found.mapping
    let properties = complete(from: found.source, to: found.destination, own: mapping, in: found)
    return CheckedEntityMapping(
      name: mapping.name, source: found.source, destination: found.destination, kind: kind(of: found),
      isInferred: false, filter: mapping.filter, policyName: mapping.policyName,
      attributes: properties.attributes, relationships: properties.relationships, userInfo: mapping.userInfo)
  }

  private mutating func complete(_ mapping: Unlisted) -> CheckedEntityMapping {
    let properties = complete(from: mapping.source, to: mapping.destination, own: nil, in: nil)
    var kind = EntityMapping.Kind.add
    if let source = mapping.source {
      kind = mapping.destination.map { self.kind(from: source, to: $0) } ?? .remove
    }
    return CheckedEntityMapping(
      name: mapping.name, source: mapping.source, destination: mapping.destination, kind: kind,
      isInferred: true,
      filter: nil, policyName: nil, attributes: properties.attributes,
      relationships: properties.relationships,
      userInfo: [:])
  }

  /// Judges abstract entities that go on as such: no mapping of theirs is run, but what their sub-entities inherit of them
  /// must be possible.
  private mutating func judgeAbstractPairs() {
    for entity in scope.destinations where entity.isAbstract {
      guard let origin = inferredSource(of: entity), origin.isAbstract else { continue }
      _ = complete(from: origin, to: entity, own: nil, in: nil)
    }
  }

  private typealias Properties = (
    attributes: [CheckedAttributeMapping], relationships: [CheckedRelationshipMapping]
  )

  private mutating func complete(
    from source: EntityDescription?, to destination: EntityDescription?, own: EntityMapping?,
    in found: ListedEntityMapping?
  ) -> Properties {
    guard let destination else { return ([], []) }
    let statements = statements(from: source, to: destination, own: own)
    var inference = source.map {
      EntityInference(
        from: $0, to: destination, judgement: judgement, allowsMissingValues: allowsMissingValues)
    }
    var properties: Properties = ([], [])
    for attribute in destination.attributes {
      properties.attributes.append(complete(attribute, statements, &inference))
    }
    for relationship in destination.relationships {
      properties.relationships.append(complete(relationship, statements, &inference))
    }
    for refusal in inference?.refusals ?? [] { refuse(refusal) }
    return properties
  }

  private func complete(
    _ attribute: AttributeDescription, _ statements: Statements, _ inference: inout EntityInference?
  ) -> CheckedAttributeMapping {
    if let stated = statements.attributes[attribute.name] {
      return CheckedAttributeMapping(
        attribute: attribute, value: stated.attributeValue, elements: [], isInferred: false,
        userInfo: stated.userInfo)
    }
    if attribute.isDerived { return CheckedAttributeMapping(attribute, .derived) }
    if statements.leavesOut(attribute) { return CheckedAttributeMapping(attribute, .defaultValue) }
    return inference?.map(attribute) ?? CheckedAttributeMapping(attribute, .defaultValue)
  }

  private func complete(
    _ relationship: RelationshipDescription, _ statements: Statements, _ inference: inout EntityInference?
  ) -> CheckedRelationshipMapping {
    if let stated = statements.relationships[relationship.name] {
      return CheckedRelationshipMapping(
        relationship: relationship, value: stated.relationshipValue, isInferred: false,
        userInfo: stated.userInfo)
    }
    if statements.leavesOut(relationship) || followsFromInverse(relationship) {
      return CheckedRelationshipMapping(relationship, .empty)
    }
    return inference?.map(relationship, isReached: { isReached($0, by: relationship) })
      ?? CheckedRelationshipMapping(relationship, .empty)
  }

  /// Whether a written mapping makes members for a relationship of the members that an old one had.
  private func isReached(
    _ old: RelationshipDescription, by new: RelationshipDescription
  ) -> Bool {
    listed.contains { mapping in
      mapping.source?.isKind(of: old.destination) == true
        && mapping.destination?.isKind(of: new.destination) == true
    }
  }
}

extension PropertyMapping {
  fileprivate var attributeValue: CheckedAttributeMapping.Source {
    switch value {
    case .none: .expression(.null)
    case .expression(let expression), .objects(_, let expression): .expression(expression)
    }
  }

  fileprivate var relationshipValue: CheckedRelationshipMapping.Source {
    switch value {
    case .none: .empty
    case .expression(let expression): .expression(expression)
    case .objects(let mapping, let expression): .objects(ofMapping: mapping, from: expression)
    }
  }
}
