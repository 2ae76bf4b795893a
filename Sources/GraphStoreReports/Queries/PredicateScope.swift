import GraphStore

/// Scope of a predicate about an entity: the names that it can use.
package struct PredicateScope {
  /// One key, and whose it is.
  package struct Key {
    var name: String
    var type: String
    /// In words, as the outline of a model says it.
    var description: String
    var isToMany = false
    var isOptional = true
    /// The entity at the other end of a relationship.
    var destination: String?
    /// The sub-entity that has the key, where the entity itself has not.
    var owner: String?
  }

  /// Keys of the entity, its parents' included.
  let keys: [Key]
  /// Keys that only sub-entities have.
  let subentityKeys: [Key]
  let operators: [String]
  /// The variables that the predicate leaves open.
  let variables: [String]

  /// The names that a predicate about an entity can use.
  package init(_ entity: EntityDescription, _ predicate: QueryPredicate?) {
    var known = Set(entity.properties.map(\.name))
    keys =
      entity.properties.map { Self.key($0) }
      + [
        Key(name: "objectID", type: "id", description: "the object's identifier", isOptional: false),
        Key(name: "entity", type: "entity", description: "the object's entity", isOptional: false),
      ].filter { !known.contains($0.name) }
    var subentityKeys: [Key] = []
    for descendant in entity.descendants {
      for property in descendant.properties where known.insert(property.name).inserted {
        var key = Self.key(property)
        key.owner = descendant.name
        subentityKeys.append(key)
      }
    }
    self.subentityKeys = subentityKeys
    operators = ResolvedKeyPath.Operator.allCases.map { "@\($0.rawValue)" }
    variables = predicate?.names.variables ?? []
  }

  private static func key(_ property: PropertyDescription) -> Key {
    var key = Key(
      name: property.name, type: "fetched", description: ModelOutline.describe(property),
      isOptional: property.isOptional)
    if let attribute = property as? AttributeDescription { key.type = attribute.type.rawValue }
    if let relationship = property as? RelationshipDescription {
      key.type = "relationship"
      key.isToMany = relationship.isToMany
      key.destination = relationship.destination.name
    }
    return key
  }

  /// In lines for people.
  package func lines(_ entity: EntityDescription) -> [String] {
    let width = (keys + subentityKeys).map(\.name.count).max() ?? 0
    func line(_ key: Key) -> String {
      let name = key.name + String(repeating: " ", count: width - key.name.count + 2)
      return "  " + name + key.description + (key.owner.map { "  (\($0))" } ?? "")
    }
    var lines = ["keys of \(entity.name)"] + keys.map(line)
    if !subentityKeys.isEmpty { lines += ["keys of its sub-entities"] + subentityKeys.map(line) }
    lines += ["collection operators", "  " + operators.joined(separator: " ")]
    if !variables.isEmpty {
      lines += ["variables", "  " + variables.map { "$" + $0 }.joined(separator: " ")]
    }
    return lines
  }

  /// As members of a JSON object.
  package func write(to json: inout JSONBuilder) {
    json.key("keys")
    json.beginArray()
    for key in keys + subentityKeys {
      json.beginObject()
      json.member("name", key.name)
      json.member("type", key.type)
      json.key("optional")
      json.value(key.isOptional)
      json.key("toMany")
      json.value(key.isToMany)
      if let destination = key.destination { json.member("destination", destination) }
      if let owner = key.owner { json.member("entity", owner) }
      json.endObject()
    }
    json.endArray()
    json.key("operators")
    json.value(operators)
    json.key("variables")
    json.value(variables)
  }
}
