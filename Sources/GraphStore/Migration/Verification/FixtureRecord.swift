import GraphStoreModel
import GraphStorePredicates

/// One expected object of a fixture, as a line of its file:
/// `{"entity":"Employee","name":"Ada","department":{"name":"Sales"},"tags":[{"name":"a"},{"name":"b"}]}`.
///
/// A related object is identified by one of its attributes (MIG-312).
enum FixtureRecord {
  private static let entityKey = "entity"

  // MARK: Reading

  /// The expected objects of a file by the names of their entities.
  ///
  /// - Throws: `invalid-request` with the line that is no record of the model's.
  static func read(
    _ text: String, path: String, model: ManagedObjectModel
  ) throws -> [String: [MigrationVerifier.ExpectedObject]] {
    var objects: [String: [MigrationVerifier.ExpectedObject]] = [:]
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where !line.allSatisfy(\.isWhitespace) {
      do {
        let (entity, object) = try record(line, model)
        objects[entity, default: []].append(object)
      } catch {
        throw invalid("\(error)", at: index + 1, path)
      }
    }
    return objects
  }

  private static func record(
    _ line: Substring, _ model: ManagedObjectModel
  ) throws -> (entity: String, MigrationVerifier.ExpectedObject) {
    guard case .object(var members) = try JSONValue(json: Array(line.utf8)) else {
      throw ValueConversionError(code: .type, value: String(line), message: "A record is a JSON object.")
    }
    guard case .string(let name) = members.removeValue(forKey: entityKey) else {
      throw ValueConversionError(
        code: .type, value: String(line), message: "A record names its entity under \"\(entityKey)\".")
    }
    let entity = try model.entity(named: name)
    var object = MigrationVerifier.ExpectedObject([:])
    for (key, json) in members {
      if let attribute = entity.attribute(named: key) {
        object.values[key] = try attribute.value(fromJSON: json)
      } else if let relationship = entity.relationship(named: key) {
        object.links[key] = try Self.members(json, of: relationship)
      } else {
        let near = NearestNames.names(near: key, among: entity.properties.map(\.name)).first
        let hint = near.map { " Did you mean \"\($0)\"?" } ?? ""
        throw ValueConversionError(
          code: .unknownKey, value: key,
          message: "\(name) has no attribute or relationship \"\(key)\".\(hint)")
      }
    }
    return (name, object)
  }

  private static func members(
    _ json: JSONValue, of relationship: RelationshipDescription
  ) throws -> MigrationVerifier.Members {
    let items: [JSONValue]
    switch json {
    case .null: items = []
    case .array(let list): items = list
    default: items = [json]
    }
    var members = MigrationVerifier.Members("", [])
    for item in items {
      guard case .object(let pair) = item, pair.count == 1, let (key, value) = pair.first,
        let attribute = relationship.destination.attribute(named: key)
      else {
        throw ValueConversionError(
          code: .type, value: item.compactText,
          message:
            "A member of \(relationship.name) is told by one of its attributes, as {\"name\": \"Sales\"}.")
      }
      members.key = key
      members.values.append(try attribute.value(fromJSON: value))
    }
    return members
  }

  private static func invalid(_ message: String, at line: Int, _ path: String) -> GraphStoreError {
    GraphStoreError(
      .invalidRequest, "\(path), line \(line): \(message)",
      remedy: "Correct the line, or write the file anew from what the fixture holds once it is migrated.")
  }

  // MARK: Writing

  /// The lines of all objects of a context, in an order that depends on their content alone.
  ///
  /// - Parameter keys: The attribute that identifies objects of an entity, by its name; for others it is the
  ///   one that a uniqueness constraint of a single attribute names, and relationships to those without are
  ///   left out.
  static func lines(of context: ManagedObjectContext, keys: [String: String]) throws -> [String] {
    let model = context.coordinator.managedObjectModel
    return try model.entities.filter { $0.superentity == nil }.flatMap { entity in
      try context.fetch(FetchRequest<ManagedObject>(entityName: entity.name)).map {
        try JSONValue.object(members(of: $0, keys)).compactText
      }
    }.sorted()
  }

  private static func members(
    of object: ManagedObject, _ keys: [String: String]
  ) throws -> [String: JSONValue] {
    var members = [entityKey: JSONValue.string(object.entity.name)]
    for property in object.entity.properties where !property.isTransient {
      if let relationship = property as? RelationshipDescription {
        if let key = key(of: relationship.destination, keys) {
          members[property.name] = try links(of: object, relationship, key)
        }
      } else if property is AttributeDescription {
        members[property.name] = JSONValue(try object.queryValue(forKey: property.name))
      }
    }
    return members
  }

  private static func links(
    of object: ManagedObject, _ relationship: RelationshipDescription, _ key: String
  ) throws -> JSONValue {
    guard relationship.isToMany else {
      guard let member = try object.object(forKey: relationship.name) else { return .null }
      return try link(to: member, key)
    }
    let members = try object.objects(forKey: relationship.name).map { try link(to: $0, key) }
    return .array(relationship.isOrdered ? members : members.sorted { $0.compactText < $1.compactText })
  }

  private static func link(to member: ManagedObject, _ key: String) throws -> JSONValue {
    .object([key: JSONValue(try member.queryValue(forKey: key)) ?? .null])
  }

  private static func key(of entity: EntityDescription, _ keys: [String: String]) -> String? {
    var current: EntityDescription? = entity
    while let entity = current {
      if let key = keys[entity.name] { return key }
      current = entity.superentity
    }
    return entity.uniquenessConstraints.first { $0.count == 1 && $0[0] is AttributeDescription }?.first?.name
  }
}
