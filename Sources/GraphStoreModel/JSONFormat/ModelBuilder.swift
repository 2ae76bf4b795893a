import GraphStorePredicates

/// Turns a checked definition into descriptions.
struct ModelBuilder {
  /// What a model is made of.
  struct Parts {
    var entities: [EntityDescription]
    var templates: [FetchRequestTemplate]
    var configurations: [String: [EntityDescription]]
  }

  private let definition: ModelDefinition
  private let checked: ModelValidator
  private var entities: [EntityDescription]

  /// Builds the descriptions of a definition that was checked and has no problems.
  static func build(_ validator: ModelValidator, _ origin: ModelOrigin) -> Parts {
    var builder = ModelBuilder(validator, origin)
    return builder.makeParts()
  }

  private init(_ validator: ModelValidator, _ origin: ModelOrigin) {
    definition = validator.definition
    checked = validator
    entities = definition.entities.enumerated().map { EntityDescription($1, index: $0, origin: origin) }
  }

  private mutating func makeParts() -> Parts {
    linkTree()
    for position in checked.parentsFirst { makeProperties(of: position) }
    linkRelationships()
    for position in checked.parentsFirst {
      makeConstraints(of: position)
      makeIndexes(of: position)
    }
    let byName = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) })
    let templates = zip(definition.fetchRequests, checked.templates).compactMap { request, parts in
      byName[request.entity].map {
        FetchRequestTemplate(
          request, predicate: parts.predicate, sortDescriptors: parts.sortDescriptors,
          having: parts.having, entity: $0)
      }
    }
    let configurations = definition.configurations.map { configuration in
      let names = Set(configuration.entities)
      return (configuration.name, entities.filter { names.contains($0.name) })
    }
    return Parts(
      entities: entities, templates: templates,
      configurations: Dictionary(uniqueKeysWithValues: configurations))
  }

  private func linkTree() {
    for (position, entity) in entities.enumerated() {
      guard let parent = checked.parents[position] else { continue }
      entity.parentReference = entities[parent]
      entities[parent].subentities.append(entity)
    }
    for position in checked.parentsFirst {
      let entity = entities[position]
      guard let parent = entity.superentity else { continue }
      entity.rootReference = parent.rootReference ?? parent
    }
    for position in checked.parentsFirst.reversed() {
      let entity = entities[position]
      entity.descendants = entity.subentities.flatMap { [$0] + $0.descendants }
    }
    var walk = 0
    for root in entities where root.superentity == nil {
      for entity in root.family {
        entity.walkStart = walk
        entity.walkEnd = walk + entity.descendants.count + 1
        walk += 1
      }
    }
  }

  private func makeProperties(of position: Int) {
    let entity = entities[position]
    let source = definition.entities[position]
    if let parent = entity.superentity {
      entity.properties = parent.properties
      entity.attributes = parent.attributes
      entity.relationships = parent.relationships
      entity.fetchedProperties = parent.fetchedProperties
      entity.propertiesByName = parent.propertiesByName
    }
    entity.ownPropertyStart = entity.properties.count
    entity.reserve(source.attributes.count + source.relationships.count + source.fetchedProperties.count)
    for (number, parts) in checked.attributes[position].enumerated() {
      let description = AttributeDescription(
        source.attributes[number], number: entity.properties.count, parts: parts)
      description.setEntityOfElements(entity, path: [description.name])
      entity.attributes.append(description)
      entity.add(description)
    }
    for (relationship, validations) in zip(source.relationships, checked.relationshipValidations[position]) {
      let description = RelationshipDescription(
        relationship, number: entity.properties.count, validations: validations)
      entity.relationships.append(description)
      entity.add(description)
    }
    for (property, parts) in zip(source.fetchedProperties, checked.fetchedProperties[position]) {
      let description = FetchedPropertyDescription(
        property, number: entity.properties.count, predicate: parts.predicate,
        sortDescriptors: parts.sortDescriptors)
      entity.fetchedProperties.append(description)
      entity.add(description)
    }
  }

  private func linkRelationships() {
    for (entity, source) in zip(entities, definition.entities) {
      let relationships = entity.relationships.suffix(source.relationships.count)
      for (description, relationship) in zip(relationships, source.relationships) {
        guard let destination = checked.entityPositions[relationship.destination] else { continue }
        description.destinationReference = entities[destination]
        if let inverse = relationship.inverse {
          description.inverseReference = entities[destination].relationship(named: inverse)
        }
      }
      let fetchedProperties = entity.fetchedProperties.suffix(source.fetchedProperties.count)
      for (description, property) in zip(fetchedProperties, source.fetchedProperties) {
        guard let destination = checked.entityPositions[property.entity] else { continue }
        description.destinationReference = entities[destination]
      }
    }
  }

  private func makeConstraints(of position: Int) {
    let entity = entities[position]
    entity.ownUniquenessConstraints = definition.entities[position].uniquenessConstraints.map { names in
      names.compactMap { entity.attribute(named: $0) }
    }
    entity.uniquenessConstraints =
      (entity.superentity?.uniquenessConstraints ?? []) + entity.ownUniquenessConstraints
  }

  private func makeIndexes(of position: Int) {
    let entity = entities[position]
    entity.indexes = zip(definition.entities[position].indexes, checked.indexes[position]).map {
      index, parts in
      let elements = zip(index.elements, parts.expressions).compactMap { element, expression in
        subject(of: element, expression: expression, in: entity).map {
          IndexDescription.Element(subject: $0, order: element.order, kind: element.kind)
        }
      }
      return IndexDescription(name: index.name, elements: elements, predicate: parts.predicate)
    }
  }

  private func subject(
    of element: IndexDefinition.Element, expression: QueryExpression?, in entity: EntityDescription
  ) -> IndexDescription.Element.Subject? {
    if let expression { return .expression(expression) }
    guard let property = element.property else { return nil }
    let keys = property.split(separator: ".").map(String.init)
    guard let first = keys.first, let start = entity.property(named: first) else { return nil }
    if keys.count == 1 { return .property(start) }
    var path: [AttributeDescription] = []
    var current = start as? AttributeDescription
    for key in keys.dropFirst() {
      guard let attribute = current else { return nil }
      path.append(attribute)
      current = attribute.elements.first { $0.name == key }
    }
    return current.map { .element(path + [$0]) }
  }
}

extension EntityDescription {
  /// Makes room for so many properties besides those that are there.
  fileprivate func reserve(_ count: Int) {
    properties.reserveCapacity(properties.count + count)
    propertiesByName.reserveCapacity(properties.count + count)
  }

  fileprivate func add(_ property: PropertyDescription) {
    property.setEntity(self)
    properties.append(property)
    propertiesByName[property.name] = property
  }
}

extension AttributeDescription {
  fileprivate func setEntityOfElements(_ entity: EntityDescription, path: [String]) {
    for element in elements {
      element.setEntity(entity, path: path + [element.name])
      element.setEntityOfElements(entity, path: path + [element.name])
    }
  }
}
