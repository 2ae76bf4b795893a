import GraphStorePredicates

extension ModelValidator {
  /// Names by which a key path means the object itself, so that no value is reached by them.
  static let reservedNames: Set<String> = ["self", "SELF"]

  /// Files the properties of each entity by name; of a name used twice the first counts.
  mutating func collectProperties() {
    ownProperties = definition.entities.map { entity in
      Dictionary(Self.properties(of: entity), uniquingKeysWith: { first, _ in first })
    }
  }

  /// The names of an entity's own properties in the order of the file, and the position of each.
  private static func properties(of entity: EntityDefinition) -> [(String, PropertyPosition)] {
    var properties: [(String, PropertyPosition)] = []
    for number in entity.attributes.indices {
      properties.append((entity.attributes[number].name, .attribute(number)))
    }
    for number in entity.relationships.indices {
      properties.append((entity.relationships[number].name, .relationship(number)))
    }
    for number in entity.fetchedProperties.indices {
      properties.append((entity.fetchedProperties[number].name, .fetchedProperty(number)))
    }
    return properties
  }

  mutating func checkPropertyNames() {
    for (position, entity) in definition.entities.enumerated() {
      let path = ModelPath().item("entities", position)
      let properties = Self.properties(of: entity)
      let areDistinct = ownProperties[position].count == properties.count
      var first: [String: ModelPath] = [:]
      for (name, number) in properties {
        // Made where something is wrong: a large model has thousands of properties.
        var place: ModelPath { path.property(number) }
        guard !hasProblem(at: place.key("name")) else { continue }
        checkPropertyName(name, at: place.key("name"))
        if let other = first[name] {
          report(
            .duplicateName, at: place.key("name"), value: name,
            "The name \"\(name)\" is already used by \(other).")
          continue
        }
        if !areDistinct { first[name] = place }
        if let ancestor = ancestor(of: position, declaring: name) {
          report(
            .propertyRedefined, at: place.key("name"), value: name,
            "\"\(name)\" is inherited from \(definition.entities[ancestor].name) and cannot be defined again.",
            remedy: "Remove it here or give it another name.")
        }
      }
    }
  }

  mutating func checkPropertyName(_ name: String, at path: @autoclosure () -> ModelPath) {
    checkName(name, at: path())
    if Self.reservedNames.contains(name) {
      report(
        .reservedName, at: path(), value: name, "\"\(name)\" is the object itself in every key path.",
        remedy: "Choose another name for the property.")
    }
  }

  private func ancestor(of entity: Int, declaring name: String) -> Int? {
    var position = parents[entity]
    while let current = position {
      if ownProperties[current][name] != nil { return current }
      position = parents[current]
    }
    return nil
  }
}

extension ModelPath {
  /// The path from an entity to one of its own properties.
  fileprivate func property(_ place: ModelValidator.PropertyPosition) -> ModelPath {
    switch place {
    case .attribute(let number): item("attributes", number)
    case .relationship(let number): item("relationships", number)
    case .fetchedProperty(let number): item("fetchedProperties", number)
    }
  }
}
