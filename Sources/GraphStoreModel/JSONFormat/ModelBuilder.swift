import GraphStorePredicates

/// Builds the descriptions of a definition that was checked and has no problems.
///
/// Descriptions are constants, so each is made after those that it holds: an entity after its ancestors and
/// its properties. Parts that they do not hold they reference by position in the model, which is known
/// before.
struct ModelBuilder {
  /// Parts that a model is made of.
  struct Parts {
    let entities: [EntityDescription]
    let entitiesDepthFirst: [EntityDescription]
    let templates: [FetchRequestTemplate]
    let configurations: [String: [EntityDescription]]
  }

  private let definition: ModelDefinition
  private let checked: ModelValidator
  private let reference: WeakModelReference
  /// The number of relationships that each entity inherits.
  private var inheritedRelationships: [Int]
  /// The number of entities in each entity's family.
  private var familySizes: [Int]

  /// Builds the parts of the model that `reference` will refer to.
  static func build(_ validator: ModelValidator, reference: WeakModelReference) -> Parts {
    ModelBuilder(validator, reference: reference).makeParts()
  }

  private init(_ validator: ModelValidator, reference: WeakModelReference) {
    definition = validator.definition
    checked = validator
    self.reference = reference
    inheritedRelationships = Array(repeating: 0, count: definition.entities.count)
    familySizes = Array(repeating: 1, count: definition.entities.count)
    for position in checked.parentsFirst {
      guard let parent = checked.parents[position] else { continue }
      inheritedRelationships[position] =
        inheritedRelationships[parent] + definition.entities[parent].relationships.count
    }
    for position in checked.parentsFirst.reversed() {
      if let parent = checked.parents[position] { familySizes[parent] += familySizes[position] }
    }
  }

  private func makeParts() -> Parts {
    var made: [EntityDescription?] = Array(repeating: nil, count: definition.entities.count)
    // The order with parents first is the depth-first walk of the trees.
    let entitiesDepthFirst = checked.parentsFirst.enumerated().map { walked, position in
      let entity = makeEntity(
        at: position, parent: checked.parents[position].flatMap { made[$0] },
        familyRange: walked..<(walked + familySizes[position]))
      made[position] = entity
      return entity
    }
    let entities = made.compactMap(\.self)
    let templates = zip(definition.fetchRequests, checked.templates).compactMap { request, parts in
      checked.entityPositions[request.entity].map {
        FetchRequestTemplate(
          request, predicate: parts.predicate, sortDescriptors: parts.sortDescriptors,
          having: parts.having, entity: entities[$0])
      }
    }
    let configurations = definition.configurations.map { configuration in
      let names = Set(configuration.entities)
      return (configuration.name, entities.filter { names.contains($0.name) })
    }
    return Parts(
      entities: entities, entitiesDepthFirst: entitiesDepthFirst, templates: templates,
      configurations: Dictionary(uniqueKeysWithValues: configurations))
  }

  private func makeEntity(
    at position: Int, parent: EntityDescription?, familyRange: Range<Int>
  ) -> EntityDescription {
    let source = definition.entities[position]
    var parts = EntityParts(parent, familyRange: familyRange)
    parts.reserve(source.attributes.count + source.relationships.count + source.fetchedProperties.count)
    addProperties(of: position, to: &parts)
    parts.ownUniquenessConstraints = source.uniquenessConstraints.map { names in
      names.compactMap { parts.propertiesByName[$0] }
    }
    parts.indexes = zip(source.indexes, checked.indexes[position]).map { index, checked in
      let elements = zip(index.elements, checked.expressions).compactMap { element, expression in
        subject(of: element, expression: expression, in: parts).map {
          IndexDescription.Element(subject: $0, order: element.order, kind: element.kind)
        }
      }
      return IndexDescription(name: index.name, elements: elements, predicate: checked.predicate)
    }
    return EntityDescription(source, index: position, parts: parts, reference: reference)
  }

  private func addProperties(of position: Int, to parts: inout EntityParts) {
    let source = definition.entities[position]
    func site() -> DeclarationSite {
      DeclarationSite(reference: reference, entityIndex: position, number: parts.properties.count)
    }
    for (attribute, checked) in zip(source.attributes, checked.attributes[position]) {
      let description = AttributeDescription(attribute, parts: checked, site: site())
      parts.attributes.append(description)
      parts.add(description)
    }
    for (relationship, validations) in zip(source.relationships, checked.relationshipValidations[position]) {
      guard let destination = checked.entityPositions[relationship.destination] else { continue }
      let description = RelationshipDescription(
        relationship, validations: validations, destinationIndex: destination,
        inverseIndex: relationship.inverse.flatMap { relationshipIndex(named: $0, in: destination) },
        site: site())
      parts.relationships.append(description)
      parts.add(description)
    }
    for (property, checkedParts) in zip(source.fetchedProperties, checked.fetchedProperties[position]) {
      guard let destination = checked.entityPositions[property.entity] else { continue }
      let description = FetchedPropertyDescription(
        property, predicate: checkedParts.predicate, sortDescriptors: checkedParts.sortDescriptors,
        destinationIndex: destination, site: site())
      parts.fetchedProperties.append(description)
      parts.add(description)
    }
  }

  /// The position of a relationship, own or inherited, among those of an entity.
  private func relationshipIndex(named name: String, in entity: Int) -> Int? {
    var position: Int? = entity
    while let current = position {
      if case .relationship(let offset)? = checked.ownProperties[current][name] {
        return inheritedRelationships[current] + offset
      }
      position = checked.parents[current]
    }
    return nil
  }

  private func subject(
    of element: IndexDefinition.Element, expression: QueryExpression?, in parts: EntityParts
  ) -> IndexDescription.Element.Subject? {
    if let expression { return .expression(expression) }
    guard let property = element.property else { return nil }
    let keys = property.split(separator: ".").map(String.init)
    guard let first = keys.first, let start = parts.propertiesByName[first] else { return nil }
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

extension EntityParts {
  fileprivate init(_ parent: EntityDescription?, familyRange: Range<Int>) {
    superentity = parent
    properties = parent?.properties ?? []
    attributes = parent?.attributes ?? []
    relationships = parent?.relationships ?? []
    fetchedProperties = parent?.fetchedProperties ?? []
    propertiesByName = parent?.propertiesByName ?? [:]
    ownPropertyStart = properties.count
    self.familyRange = familyRange
  }

  /// Makes room for so many properties besides those that are there.
  fileprivate mutating func reserve(_ count: Int) {
    properties.reserveCapacity(properties.count + count)
    propertiesByName.reserveCapacity(properties.count + count)
  }

  fileprivate mutating func add(_ property: PropertyDescription) {
    properties.append(property)
    propertiesByName[property.name] = property
  }
}
