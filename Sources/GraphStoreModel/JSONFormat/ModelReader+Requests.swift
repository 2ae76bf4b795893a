extension ModelReader {
  mutating func readFetchRequest(_ node: JSONNode, at path: ModelPath) -> FetchRequestDefinition {
    var request = FetchRequestDefinition("", entity: "")
    guard let fields = object(node, at: path, keys: ModelKeys.fetchRequest, required: ["name", "entity"])
    else {
      problemPaths.formUnion([path.key("name"), path.key("entity")])
      return request
    }
    request.name = name(in: fields)
    request.entity = string("entity", in: fields) ?? ""
    request.predicate = string("predicate", in: fields)
    request.sort = strings("sort", in: fields)
    request.limit = integer("limit", in: fields) ?? 0
    request.offset = integer("offset", in: fields) ?? 0
    request.batchSize = integer("batchSize", in: fields) ?? 0
    request.resultType = word("resultType", in: fields, default: .objects)
    request.properties = strings("properties", in: fields)
    request.groupBy = strings("groupBy", in: fields)
    request.having = string("having", in: fields)
    request.distinct = bool("distinct", in: fields, default: false)
    request.prefetch = strings("prefetch", in: fields)
    request.includesSubentities = bool("includesSubentities", in: fields, default: true)
    return request
  }

  mutating func readConfiguration(_ node: JSONNode, at path: ModelPath) -> ConfigurationDefinition {
    guard
      let fields = object(node, at: path, keys: ModelKeys.configuration, required: ["name", "entities"])
    else {
      problemPaths.insert(path.key("name"))
      return ConfigurationDefinition("", entities: [])
    }
    return ConfigurationDefinition(name(in: fields), entities: strings("entities", in: fields))
  }
}
