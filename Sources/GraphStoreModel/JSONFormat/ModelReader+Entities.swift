extension ModelReader {
  /// Reads an entity; an entity without name, for one that is no object, so that positions in the list stay.
  mutating func readEntity(_ node: JSONNode, at path: ModelPath) -> EntityDefinition {
    var entity = EntityDefinition("")
    guard let fields = object(node, at: path, keys: ModelKeys.entity, required: ["name"]) else {
      problemPaths.insert(path.key("name"))
      return entity
    }
    entity.name = name(in: fields)
    entity.parent = string("parent", in: fields)
    entity.isAbstract = bool("abstract", in: fields, default: false)
    entity.className = string("className", in: fields)
    entity.renamingIdentifier = string("renamingIdentifier", in: fields)
    entity.versionHashModifier = string("versionHashModifier", in: fields)
    entity.attributes = list("attributes", in: fields) { $0.readAttribute($1, at: $2) }
    entity.relationships = list("relationships", in: fields) { $0.readRelationship($1, at: $2) }
    entity.fetchedProperties = list("fetchedProperties", in: fields) { $0.readFetchedProperty($1, at: $2) }
    entity.indexes = list("indexes", in: fields) { $0.readIndex($1, at: $2) }
    entity.uniquenessConstraints = list("uniquenessConstraints", in: fields) { reader, item, place in
      reader.items(item, at: place) { $0.text($1, at: $2) }
    }
    entity.userInfo = anyObject("userInfo", in: fields)
    entity.xcode = anyObject("xcode", in: fields)
    return entity
  }

  /// The name of an object; a problem in it keeps checks from seeing it.
  mutating func name(in fields: Fields) -> String { string("name", in: fields) ?? "" }

  private mutating func readIndex(_ node: JSONNode, at path: ModelPath) -> IndexDefinition {
    var index = IndexDefinition("", elements: [])
    guard let fields = object(node, at: path, keys: ModelKeys.index, required: ["name", "elements"]) else {
      problemPaths.formUnion([path.key("name"), path.key("elements")])
      return index
    }
    index.name = name(in: fields)
    index.elements = list("elements", in: fields) { reader, item, place in
      reader.readIndexElement(item, at: place)
    }
    index.predicate = string("where", in: fields)
    return index
  }

  private mutating func readIndexElement(_ node: JSONNode, at path: ModelPath) -> IndexDefinition.Element {
    guard let fields = object(node, at: path, keys: ModelKeys.indexElement, required: []) else {
      problemPaths.insert(path.key("property"))
      return IndexDefinition.Element()
    }
    return IndexDefinition.Element(
      string("property", in: fields), expression: string("expression", in: fields),
      order: word("order", in: fields, default: .ascending),
      kind: word("type", in: fields, default: .binary))
  }
}
