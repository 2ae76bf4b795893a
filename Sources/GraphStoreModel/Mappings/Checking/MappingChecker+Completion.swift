extension MappingChecker {
  /// Statements for the properties of a destination entity, by name.
  struct Statements {
    var attributes: [String: PropertyMapping] = [:]
    var relationships: [String: PropertyMapping] = [:]
    /// The properties that are mentioned, if only as inferred.
    var mentioned: Set<String> = []
    /// Whether properties that are not mentioned stay empty.
    fileprivate var isComplete = false
    /// The abstract entities whose properties stay empty where they are not mentioned.
    fileprivate var completeEntities: [EntityDescription] = []

    /// Whether a property stays empty because nothing mentions it.
    func leavesOut(_ property: PropertyDescription) -> Bool {
      guard !mentioned.contains(property.name) else { return false }
      return isComplete || completeEntities.contains { $0.property(named: property.name) === property }
    }
  }

  /// The statements of an entity mapping, and those it inherits from mappings between abstract entities
  /// (MIG-158).
  ///
  /// A property that is declared as inferred has no statement, and is never left out.
  func statements(
    from source: EntityDescription?, to destination: EntityDescription, own: EntityMapping?
  ) -> Statements {
    var statements = Statements()
    let carriers = source.map { self.carriers(from: $0, to: destination) } ?? []
    for mapping in [own].compactMap({ $0 }) + carriers.map(\.mapping) {
      let former = statements.mentioned
      for stated in mapping.attributeMappings where !former.contains(stated.name) {
        statements.mentioned.insert(stated.name)
        if stated.value != .inferred { statements.attributes[stated.name] = stated }
      }
      for stated in mapping.relationshipMappings where !former.contains(stated.name) {
        statements.mentioned.insert(stated.name)
        if stated.value != .inferred { statements.relationships[stated.name] = stated }
      }
    }
    statements.isComplete = own?.isComplete == true
    statements.completeEntities = carriers.filter(\.mapping.isComplete).compactMap(\.destination)
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
    for mapping in unlisted { checked[parts.count - 1].append(complete(mapping)) }
    return checked
  }

  private mutating func complete(_ found: ListedEntityMapping) -> CheckedEntityMapping {
    let mapping = found.mapping
    let properties = complete(from: found.source, to: found.destination, own: mapping)
    checkOrder(of: properties.relationships, in: found)
    return CheckedEntityMapping(
      name: mapping.name, source: found.source, destination: found.destination, kind: kind(of: found),
      isInferred: false, filter: mapping.filter, policyName: mapping.policyName,
      attributes: properties.attributes, relationships: properties.relationships, userInfo: mapping.userInfo)
  }

  /// Refuses a one-way relationship that is filled from objects which a later mapping of the step makes
  /// (MIG-227): nothing would fill it then.
  private mutating func checkOrder(
    of relationships: [CheckedRelationshipMapping], in found: ListedEntityMapping
  ) {
    for mapping in relationships where mapping.isInferred {
      guard case .relationship(let old) = mapping.value else { continue }
      let relationship = mapping.relationship
      guard relationship.inverse == nil || relationship.inverse === relationship else { continue }
      let late = targets.filter { _, target in
        target.part > found.part && target.source?.isKind(of: old.destination) == true
          && target.destination?.isKind(of: relationship.destination) == true
      }
      guard let name = late.keys.min() else { continue }
      report(
        ModelProblem(
          .mappingBadValue, at: found.path, value: relationship.name,
          message:
            "\(relationship) leads to objects that the entity mapping \"\(name)\" of a later mapping of this step makes.",
          remedy: "Put both entity mappings into one file, or the other file first."), in: found.part)
    }
  }

  private mutating func complete(_ mapping: Unlisted) -> CheckedEntityMapping {
    let properties = complete(from: mapping.source, to: mapping.destination, own: nil)
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

  private typealias Properties = (
    attributes: [CheckedAttributeMapping], relationships: [CheckedRelationshipMapping]
  )

  private mutating func complete(
    from source: EntityDescription?, to destination: EntityDescription?, own: EntityMapping?
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
    let isMentioned = statements.mentioned.contains(relationship.name)
    if statements.leavesOut(relationship) || (!isMentioned && followsFromInverse(relationship)) {
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
    case .none, .inferred: .expression(.null)
    case .expression(let expression), .objects(_, let expression): .expression(expression)
    }
  }

  fileprivate var relationshipValue: CheckedRelationshipMapping.Source {
    switch value {
    case .none, .inferred: .empty
    case .expression(let expression): .expression(expression)
    case .objects(let mapping, let expression): .objects(ofMapping: mapping, from: expression)
    }
  }
}
