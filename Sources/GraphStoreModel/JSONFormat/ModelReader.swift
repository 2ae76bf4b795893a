/// Decoder of the JSON form of models into definitions, which records every problem of form on the way.
///
/// Where a key has a problem its path is kept in ``problemPaths``, so that later checks do not report it
/// again.
struct ModelReader {
  var problems: [ModelProblem] = []
  var problemPaths: Set<ModelPath> = []
  private var suggestions = NameSuggestions()

  /// One object of the file with its position.
  struct Fields {
    let path: ModelPath
    /// The members in their order: an object has few, which are compared faster than hashed.
    let members: [JSONNode.Member]

    /// The value of a key; of one that repeats the last.
    subscript(key: String) -> JSONNode? { members.last { $0.key == key }?.value }
  }

  /// Reads the top object.
  mutating func read(_ root: JSONNode) -> ModelDefinition {
    if Self.hasRepeatedKey(in: root) {
      var trail: [ModelPath.Component] = []
      findDuplicateKeys(in: root, &trail)
    }
    var definition = ModelDefinition()
    guard let fields = object(root, at: ModelPath(), keys: ModelKeys.model, required: ["entities"]) else {
      return definition
    }
    _ = string("$schema", in: fields)
    definition.name = string("name", in: fields)
    definition.version = string("version", in: fields)
    definition.entities = list("entities", in: fields) { $0.readEntity($1, at: $2) }
    definition.fetchRequests = list("fetchRequests", in: fields) { $0.readFetchRequest($1, at: $2) }
    definition.configurations = list("configurations", in: fields) { $0.readConfiguration($1, at: $2) }
    definition.userInfo = anyObject("userInfo", in: fields)
    definition.localization = texts("localization", in: fields)
    definition.xcode = anyObject("xcode", in: fields)
    return definition
  }

  mutating func report(
    _ code: ModelProblem.Code, at path: ModelPath, value: String? = nil, _ message: String,
    suggestion: String? = nil, remedy: String? = nil
  ) {
    problemPaths.insert(path)
    problems.append(
      ModelProblem(code, at: path, value: value, message: message, suggestion: suggestion, remedy: remedy))
  }

  /// The name that was probably meant, nil once there were many to look for.
  mutating func nearest(to name: String, among candidates: [String]) -> String? {
    suggestions.nearest(to: name, among: candidates)
  }

  mutating func reportType(_ node: JSONNode, expected: String, at path: ModelPath) {
    report(
      .wrongType, at: path, value: JSONWriter.text(node.value),
      "\(expected.prefix(1).uppercased())\(expected.dropFirst()) is expected here, not \(node.typeName).")
  }

  /// Whether any object within a node has a key twice: asked first, since nearly none has.
  private static func hasRepeatedKey(in node: JSONNode) -> Bool {
    switch node.content {
    case .array(let items): return items.contains(where: hasRepeatedKey)
    case .object(let members):
      // Few keys are compared faster than hashed.
      guard members.count <= 16 else {
        return !repeatedKeys(of: members).isEmpty || members.contains { hasRepeatedKey(in: $0.value) }
      }
      for position in members.indices {
        for earlier in 0..<position where members[earlier].key == members[position].key { return true }
        if hasRepeatedKey(in: members[position].value) { return true }
      }
      return false
    default: return false
    }
  }

  /// - Parameter trail: the way to the node.
  mutating func findDuplicateKeys(in node: JSONNode, _ trail: inout [ModelPath.Component]) {
    switch node.content {
    case .array(let items):
      for (position, item) in items.enumerated() {
        trail.append(.index(position))
        findDuplicateKeys(in: item, &trail)
        trail.removeLast()
      }
    case .object(let members):
      let repeated = Self.repeatedKeys(of: members)
      for (position, member) in members.enumerated() {
        trail.append(.key(member.key))
        if repeated.contains(position) {
          report(
            .duplicateKey, at: ModelPath(trail), value: member.key, "The key \"\(member.key)\" occurs twice.")
        }
        findDuplicateKeys(in: member.value, &trail)
        trail.removeLast()
      }
    default: return
    }
  }

  /// The positions of members whose key an earlier one has.
  private static func repeatedKeys(of members: [JSONNode.Member]) -> Set<Int> {
    var keys: Set<String> = []
    return Set(members.indices.filter { !keys.insert(members[$0].key).inserted })
  }
}

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
    request.properties = list("properties", in: fields) { $0.readResultProperty($1, at: $2) }
    request.groupBy = strings("groupBy", in: fields)
    request.having = string("having", in: fields)
    request.distinct = bool("distinct", in: fields, default: false)
    request.prefetch = strings("prefetch", in: fields)
    request.includesSubentities = bool("includesSubentities", in: fields, default: true)
    return request
  }

  private mutating func readResultProperty(_ node: JSONNode, at path: ModelPath) -> ResultPropertyDefinition {
    if case .string(let text) = node.content { return ResultPropertyDefinition(text) }
    guard
      let fields = object(node, at: path, keys: ModelKeys.resultProperty, required: ["name", "expression"])
    else {
      problemPaths.insert(path)
      return ResultPropertyDefinition("")
    }
    return ResultPropertyDefinition(
      name(in: fields), expression: string("expression", in: fields),
      type: fields["type"] == nil ? nil : word("type", in: fields, default: .undefined))
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
