/// Reads the JSON of a model file into a definition and notes every fault of form on the way.
///
/// Where a key has a fault its path is kept in ``faulty``, so that later checks do not report it again.
struct ModelReader {
  var problems: [ModelProblem] = []
  var faulty: Set<ModelPath> = []

  /// One object of the file with its place.
  struct Fields {
    let path: ModelPath
    let members: [String: JSONNode]
    let allowed: [String]
  }

  /// Reads the top object.
  mutating func read(_ root: JSONNode) -> ModelDefinition {
    var trail: [ModelPath.Component] = []
    findDuplicateKeys(in: root, &trail)
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
    faulty.insert(path)
    problems.append(
      ModelProblem(code, at: path, value: value, message, suggestion: suggestion, remedy: remedy))
  }

  mutating func reportType(_ node: JSONNode, expected: String, at path: ModelPath) {
    report(
      .wrongType, at: path, value: JSONWriter.text(node.value),
      "\(expected.prefix(1).uppercased())\(expected.dropFirst()) is expected here, not \(node.typeName).")
  }

  /// - Parameter trail: the way to the node.
  private mutating func findDuplicateKeys(in node: JSONNode, _ trail: inout [ModelPath.Component]) {
    switch node.content {
    case .array(let items):
      for (position, item) in items.enumerated() {
        trail.append(.index(position))
        findDuplicateKeys(in: item, &trail)
        trail.removeLast()
      }
    case .object(let members):
      var keys = KeysSeen(capacity: members.count)
      for member in members {
        trail.append(.key(member.key))
        if !keys.insert(member.key) {
          report(
            .duplicateKey, at: ModelPath(trail), value: member.key, "The key \"\(member.key)\" occurs twice.")
        }
        findDuplicateKeys(in: member.value, &trail)
        trail.removeLast()
      }
    default: return
    }
  }
}

/// The keys of one object so far: most objects have a few, which are compared faster than hashed.
private struct KeysSeen {
  private static let few = 16
  private var list: [String] = []
  private var set: Set<String>?

  init(capacity: Int) {
    if capacity > Self.few { set = [] } else { list.reserveCapacity(capacity) }
  }

  /// - Returns: whether the key was not there.
  mutating func insert(_ key: String) -> Bool {
    if set != nil { return set?.insert(key).inserted ?? false }
    guard !list.contains(key) else { return false }
    list.append(key)
    return true
  }
}
