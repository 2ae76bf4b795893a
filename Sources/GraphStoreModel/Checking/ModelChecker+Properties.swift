import GraphStorePredicates

extension ModelChecker {
  /// Names that every object uses for members of its own.
  static let reservedNames: Set<String> = [
    "self", "SELF", "super", "class", "superclass", "init", "copy", "description", "debugDescription",
    "hash", "hashValue", "entity", "objectID", "managedObjectContext", "isInserted", "isUpdated",
    "isDeleted", "isFault", "hasChanges", "hasPersistentChangedValues", "faultingState", "changedValues",
    "committedValues", "primitiveValue", "awakeFromInsert", "awakeFromFetch", "willSave", "didSave",
    "willTurnIntoFault", "didTurnIntoFault", "prepareForDeletion", "validateForInsert",
    "validateForUpdate", "validateForDelete",
  ]

  /// Files the properties of each entity by name; of a name used twice the first counts.
  mutating func collectProperties() {
    for (position, entity) in definition.entities.enumerated() {
      var places: [String: PropertyPlace] = [:]
      for attribute in entity.attributes where places[attribute.name] == nil {
        places[attribute.name] = .attribute(attribute)
      }
      for relationship in entity.relationships where places[relationship.name] == nil {
        places[relationship.name] = .relationship(relationship, entity: position)
      }
      for property in entity.fetchedProperties where places[property.name] == nil {
        places[property.name] = .fetchedProperty(property)
      }
      ownProperties.append(places)
    }
  }

  mutating func checkPropertyNames() {
    for (position, entity) in definition.entities.enumerated() {
      let path = ModelPath().item("entities", position)
      var names = entity.attributes.enumerated().map { ($1.name, path.item("attributes", $0)) }
      names += entity.relationships.enumerated().map { ($1.name, path.item("relationships", $0)) }
      names += entity.fetchedProperties.enumerated().map { ($1.name, path.item("fetchedProperties", $0)) }
      var first: [String: ModelPath] = [:]
      for (name, place) in names {
        let namePath = place.key("name")
        guard !faulty.contains(namePath) else { continue }
        checkPropertyName(name, at: namePath)
        if let other = first[name] {
          report(
            .duplicateName, at: namePath, value: name, "The name \"\(name)\" is already used by \(other).")
          continue
        }
        first[name] = place
        if let ancestor = ancestor(of: position, declaring: name) {
          report(
            .propertyRedefined, at: namePath, value: name,
            "\"\(name)\" is inherited from \(definition.entities[ancestor].name) and cannot be defined again.",
            remedy: "Remove it here or give it another name.")
        }
      }
    }
  }

  mutating func checkPropertyName(_ name: String, at path: ModelPath) {
    checkName(name, at: path)
    if Self.reservedNames.contains(name) {
      report(
        .reservedName, at: path, value: name, "\"\(name)\" is a member of every object.",
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
