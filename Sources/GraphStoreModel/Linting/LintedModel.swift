import GraphStorePredicates

/// Symbol table for lint rules: a definition, which may have problems, with its names resolved.
struct LintedModel {
  /// An attribute that an entity declares, or an element of a composite one.
  struct Attribute {
    /// The position of the entity.
    let entity: Int
    let definition: AttributeDefinition
    let path: ModelPath
    /// The entity and the keys, such as `Person.address.city`.
    let label: String
    let isElement: Bool
  }

  /// A relationship that an entity declares.
  struct Relationship {
    /// The position of the entity.
    let entity: Int
    let definition: RelationshipDefinition
    let path: ModelPath
    /// The entity and the name.
    let label: String
    /// The position of the destination; nil where there is no such entity.
    let destination: Int?
  }

  let definition: ModelDefinition
  /// The model; nil where the definition has problems.
  let model: ManagedObjectModel?
  /// The attributes of all entities in their order, each followed by its elements.
  let attributes: [Attribute]
  /// The relationships of all entities in their order.
  let relationships: [Relationship]
  /// The position in ``relationships`` of the inverse of each.
  let inverses: [Int?]
  private let validator: ModelValidator
  private let walkStarts: [Int]
  private let walkEnds: [Int]

  /// Resolves the names of a definition that was checked.
  init(_ validator: ModelValidator, model: ManagedObjectModel?) {
    self.validator = validator
    self.model = model
    definition = validator.definition
    attributes = Self.attributes(validator)
    relationships = Self.relationships(validator)
    inverses = Self.inverses(relationships, validator)
    (walkStarts, walkEnds) = Self.walk(validator)
  }

  /// The name of the entity at a position.
  func name(_ entity: Int) -> String { definition.entities[entity].name }

  /// The position of the entity of a name.
  func entity(named name: String) -> Int? { validator.entityPositions[name] }

  /// The position of the parent.
  func parent(of entity: Int) -> Int? { validator.parents[entity] }

  /// The entity and its ancestors, upwards.
  func lineage(of entity: Int) -> [Int] {
    var chain = [entity]
    while let parent = validator.parents[chain[chain.count - 1]] { chain.append(parent) }
    return chain
  }

  /// The entity and all below it, each after its parent.
  func family(of entity: Int) -> ArraySlice<Int> {
    validator.parentsFirst[walkStarts[entity]..<walkEnds[entity]]
  }

  /// The property of a name in an entity and its ancestors.
  func property(_ name: String, of entity: Int) -> ModelValidator.PropertyPlace? {
    validator.property(name, of: entity)
  }

  /// The path of the entity at a position.
  func path(_ entity: Int) -> ModelPath { ModelPath().item("entities", entity) }

  /// The attributes of the model that entities declare, each followed by its elements; none where there are
  /// problems.
  var describedAttributes: [(attribute: AttributeDescription, path: ModelPath)] {
    var found: [(attribute: AttributeDescription, path: ModelPath)] = []
    func add(_ attribute: AttributeDescription, _ path: ModelPath) {
      found.append((attribute, path))
      for (position, element) in attribute.elements.enumerated() {
        add(element, path.item("attributes", position))
      }
    }
    for (position, entity) in (model?.entities ?? []).enumerated() {
      let attributes = entity.ownProperties.compactMap { $0 as? AttributeDescription }
      for (number, attribute) in attributes.enumerated() {
        add(attribute, path(position).item("attributes", number))
      }
    }
    return found
  }

  /// The inverse of the relationship at a position.
  func inverse(of relationship: Int) -> Relationship? { inverses[relationship].map { relationships[$0] } }
}

extension LintedModel {
  private static func attributes(_ validator: ModelValidator) -> [Attribute] {
    var found: [Attribute] = []
    func add(
      _ attribute: AttributeDefinition, entity: Int, at path: ModelPath, owner: String, depth: Int
    ) {
      guard !validator.hasProblem(at: path.key("type")), !validator.hasProblem(at: path.key("name")) else {
        return
      }
      let label = "\(owner).\(attribute.name)"
      found.append(
        Attribute(entity: entity, definition: attribute, path: path, label: label, isElement: depth > 0))
      guard depth < ModelValidator.maximumCompositeDepth else { return }
      for (position, element) in attribute.elements.enumerated() {
        add(element, entity: entity, at: path.item("attributes", position), owner: label, depth: depth + 1)
      }
    }
    for (position, entity) in validator.definition.entities.enumerated() {
      let path = ModelPath().item("entities", position)
      for (number, attribute) in entity.attributes.enumerated() {
        add(attribute, entity: position, at: path.item("attributes", number), owner: entity.name, depth: 0)
      }
    }
    return found
  }

  private static func relationships(_ validator: ModelValidator) -> [Relationship] {
    validator.definition.entities.enumerated().flatMap { position, entity in
      let path = ModelPath().item("entities", position)
      return entity.relationships.enumerated().map { number, relationship in
        Relationship(
          entity: position, definition: relationship, path: path.item("relationships", number),
          label: "\(entity.name).\(relationship.name)",
          destination: validator.entityPositions[relationship.destination])
      }
    }
  }

  private static func inverses(_ relationships: [Relationship], _ validator: ModelValidator) -> [Int?] {
    var positions: [[String: Int]] = Array(repeating: [:], count: validator.definition.entities.count)
    for (position, relationship) in relationships.enumerated() {
      positions[relationship.entity][relationship.definition.name] = position
    }
    return relationships.map { relationship in
      guard let name = relationship.definition.inverse else { return nil }
      var owner = relationship.destination
      while let current = owner {
        if let position = positions[current][name] { return position }
        owner = validator.parents[current]
      }
      return nil
    }
  }

  /// The start and end of each entity's family in the walk that ``ModelValidator/parentsFirst`` is.
  private static func walk(_ validator: ModelValidator) -> (starts: [Int], ends: [Int]) {
    var starts = Array(repeating: 0, count: validator.parents.count)
    for (place, entity) in validator.parentsFirst.enumerated() { starts[entity] = place }
    var sizes = Array(repeating: 1, count: validator.parents.count)
    for entity in validator.parentsFirst.reversed() {
      if let parent = validator.parents[entity] { sizes[parent] += sizes[entity] }
    }
    return (starts, starts.indices.map { starts[$0] + sizes[$0] })
  }
}
