import Foundation
import GraphStorePredicates

/// Decoding of the JSON form of mappings (MIG-131 to MIG-134).
extension ModelReader {
  /// Reads the top object of a mapping file.
  mutating func readMapping(_ root: JSONNode) -> MappingModel {
    var trail: [ModelPath.Component] = []
    findDuplicateKeys(in: root, &trail)
    var mapping = MappingModel(entityMappings: [])
    let required = ["source", "destination", "entityMappings"]
    guard let fields = object(root, at: ModelPath(), keys: MappingKeys.mapping, required: required) else {
      return mapping
    }
    _ = string("$schema", in: fields)
    mapping.source = string("source", in: fields)
    mapping.destination = string("destination", in: fields)
    mapping.isComplete = bool("complete", in: fields, default: false)
    mapping.entityMappings = list("entityMappings", in: fields) { $0.readEntityMapping($1, at: $2) }
    mapping.sourceHashes = hashes("sourceHashes", in: fields)
    mapping.destinationHashes = hashes("destinationHashes", in: fields)
    mapping.userInfo = anyObject("userInfo", in: fields)
    return mapping
  }

  private mutating func readEntityMapping(_ node: JSONNode, at path: ModelPath) -> EntityMapping {
    // A mapping that leaves objects behind states that: a destination of null.
    guard
      let fields = object(node, at: path, keys: MappingKeys.entityMapping, required: ["destination"])
    else { return EntityMapping(from: nil, to: nil) }
    return EntityMapping(
      string("name", in: fields), from: stringOrNull("source", in: fields),
      to: stringOrNull("destination", in: fields),
      kind: fields["type"] == nil ? nil : word("type", in: fields, default: .transform),
      filter: predicate("where", in: fields), policyName: string("policy", in: fields),
      attributeMappings: list("attributes", in: fields) { $0.readAttributeMapping($1, at: $2) },
      relationshipMappings: list("relationships", in: fields) { $0.readRelationshipMapping($1, at: $2) },
      isComplete: bool("complete", in: fields, default: false), userInfo: anyObject("userInfo", in: fields))
  }

  private mutating func readAttributeMapping(_ node: JSONNode, at path: ModelPath) -> PropertyMapping {
    guard
      let fields = object(node, at: path, keys: MappingKeys.attributeMapping, required: ["name"])
    else { return PropertyMapping("", .inferred) }
    return PropertyMapping(
      name(in: fields), value(in: fields), userInfo: anyObject("userInfo", in: fields))
  }

  private mutating func readRelationshipMapping(_ node: JSONNode, at path: ModelPath) -> PropertyMapping {
    guard
      let fields = object(node, at: path, keys: MappingKeys.relationshipMapping, required: ["name"])
    else { return PropertyMapping("", .inferred) }
    return PropertyMapping(
      name(in: fields), members(in: fields), userInfo: anyObject("userInfo", in: fields))
  }

  /// The value of a property: an expression, null for nothing, or no key for what is inferred.
  private mutating func value(in fields: Fields) -> PropertyMapping.Source {
    guard let node = fields["value"] else { return .inferred }
    if case .null = node.content { return .none }
    return expression("value", in: fields).map(PropertyMapping.Source.expression) ?? .none
  }

  /// The members of a relationship: a value, or objects of another mapping (MIG-170).
  private mutating func members(in fields: Fields) -> PropertyMapping.Source {
    guard fields["mapping"] != nil || fields["from"] != nil else { return value(in: fields) }
    if fields["value"] != nil {
      report(
        .notApplicable, at: fields.path.key("value"),
        "Either a \"value\" or a \"mapping\" gives the members.",
        remedy: "Leave one of them out.")
    }
    for (key, other) in [("mapping", "from"), ("from", "mapping")] where fields[key] == nil {
      report(
        .missingKey, at: fields.path, "The key \"\(key)\" is missing: it goes with \"\(other)\".",
        remedy: "Write \"mapping\": NAME, \"from\": \"$source.PATH\".")
    }
    let name = string("mapping", in: fields)
    let from = expression("from", in: fields)
    guard let name, let from else { return .none }
    return .objects(ofMapping: name, from: from)
  }

  /// A string or null; nil for null.
  private mutating func stringOrNull(_ key: String, in fields: Fields) -> String? {
    if case .null? = fields[key]?.content { return nil }
    return string(key, in: fields)
  }

  private mutating func expression(_ key: String, in fields: Fields) -> QueryExpression? {
    guard let text = string(key, in: fields) else { return nil }
    do throws(QueryPredicateError) {
      return try QueryExpression(parsing: text)
    } catch {
      report(error, in: text, at: fields.path.key(key))
      return nil
    }
  }

  private mutating func predicate(_ key: String, in fields: Fields) -> QueryPredicate? {
    guard let text = string(key, in: fields) else { return nil }
    do throws(QueryPredicateError) {
      return try QueryPredicate(parsing: text)
    } catch {
      report(error, in: text, at: fields.path.key(key))
      return nil
    }
  }

  private mutating func report(_ error: QueryPredicateError, in text: String, at path: ModelPath) {
    problemPaths.insert(path)
    problems.append(ModelProblem(mapping: error, in: text, at: path))
  }

  /// The version hashes of entities in Base64, by name.
  private mutating func hashes(_ key: String, in fields: Fields) -> [String: [UInt8]]? {
    guard fields[key] != nil else { return nil }
    var hashes: [String: [UInt8]] = [:]
    for (name, text) in texts(key, in: fields) {
      if let data = Data(base64Encoded: text) {
        hashes[name] = Array(data)
      } else {
        report(
          .badValue, at: fields.path.key(key).key(name), value: text, "A version hash is written in Base64.")
      }
    }
    return hashes
  }
}

extension ModelProblem {
  /// Makes a problem of one in an expression or predicate of a mapping.
  init(mapping error: QueryPredicateError, in text: String, at path: ModelPath) {
    self.init(
      .mappingBadExpression, at: path, value: text, message: error.message,
      suggestion: error.suggestions.first,
      remedy: error.hint, offset: error.offset)
  }

  /// The problem as one of a mapping: the form of mapping files is read as that of models is.
  var ofMapping: ModelProblem {
    var problem = self
    let prefix = "model-"
    if code.rawValue.hasPrefix(prefix) {
      problem.code = Code(rawValue: "mapping-" + code.rawValue.dropFirst(prefix.count))
    }
    return problem
  }
}

extension ModelError {
  /// The error as one of a mapping.
  var ofMapping: ModelError { ModelError(problems.map(\.ofMapping), file: file) }
}
