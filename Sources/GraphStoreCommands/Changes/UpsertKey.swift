import Foundation
import GraphStore
import GraphStoreReports

/// Key by which `upsert` finds an object that exists.
struct UpsertKey {
  /// The attributes and to-one relationships that were named; nil to take a uniqueness constraint whose
  /// values are all given.
  private let named: [PropertyDescription]?
  /// Whether the objects' own ids are the key.
  let isIdentifier: Bool

  /// - Parameter text: names of attributes and to-one relationships with commas between, as `--key` takes
  ///   them.
  init(_ text: String?, of entity: EntityDescription) throws {
    isIdentifier = text.map { entity.isIdentifierKey($0) } ?? false
    if isIdentifier {
      named = nil
      return
    }
    named = try text?.split(separator: ",").map { name in
      try Self.refuseComposite(String(name), of: entity)
      let property = try ChangeReader.property(String(name), entity)
      let isToOne = (property as? RelationshipDescription).map { !$0.isToMany } ?? false
      guard isToOne || property is AttributeDescription else {
        throw Diagnostic(
          code: "wrong-property-kind",
          message: "\(entity.name).\(name) is no attribute or to-one relationship and cannot be a key",
          entity: entity.name, property: String(name), exitCode: .usage)
      }
      return property
    }
    guard named?.isEmpty != true else {
      throw Diagnostic(
        code: "key-missing", message: "--key names no attribute",
        hints: ["name the attributes that tell objects apart: --key name,city"], entity: entity.name,
        exitCode: .usage)
    }
  }

  /// Refuses a composite attribute, or an element of one, as a key: constraints have neither.
  static func refuseComposite(_ name: String, of entity: EntityDescription) throws {
    let first = name.split(separator: ".").first.map(String.init) ?? name
    guard entity.attribute(named: first)?.type == .composite else { return }
    throw Diagnostic(
      code: "wrong-property-kind",
      message: first == name
        ? "\(entity.name).\(name) is a composite attribute and cannot be a key"
        : "\(entity.name).\(name) is an element of a composite attribute and cannot be a key",
      hints: ["name attributes that have one value"], entity: entity.name, property: name, exitCode: .usage)
  }

  /// The object with the same key, if there is one.
  func object(for draft: ObjectDraft, in context: ManagedObjectContext) throws -> ManagedObject? {
    if isIdentifier { return try draft.label.map { try Self.object(withID: $0, in: context) } }
    guard let predicate = try predicate(for: draft) else { return nil }
    let request = FetchRequest(entityName: draft.entity.name, predicate: predicate, fetchLimit: 2)
    let found = try context.fetch(request)
    guard found.count < 2 else {
      throw Diagnostic(
        code: "not-unique", message: "several \(draft.entity.name) have this key",
        details: found.map(\.objectID.shortForm), entity: draft.entity.name, exitCode: .dataError)
    }
    return found.first
  }

  private static func object(withID text: String, in context: ManagedObjectContext) throws -> ManagedObject {
    guard let id = context.coordinator.managedObjectID(forShortForm: text) else {
      throw Diagnostic(
        code: "bad-id", message: "\"\(text)\" is no object's id in this store",
        hints: ["a record without an id becomes a new object"], property: "id", exitCode: .dataError)
    }
    return try context.existingObject(with: id)
  }

  /// Nil where the key has an object that is made only now: nobody refers to it yet.
  private func predicate(for draft: ObjectDraft) throws -> QueryPredicate? {
    var given: [String: Value] = [:]
    var made: Set<String> = []
    for change in draft.changes {
      switch change {
      case .attribute(let attribute, let value): given[attribute.name] = value
      case .file(let attribute, let url):
        given[attribute.name] = .data(Data(try InputFile.contents(path: url.path)))
      case .toOne(let relationship, .existing(let object)): given[relationship.name] = object.queryValue
      case .toOne(let relationship, .new): made.insert(relationship.name)
      default: continue
      }
    }
    let key =
      try named ?? constraint(of: draft.entity, having: made.union(given.filter { !$0.value.isNull }.keys))
    if key.contains(where: { made.contains($0.name) }) { return nil }
    let parts = try key.map { key in
      guard let value = given[key.name], !value.isNull else {
        throw Diagnostic(
          code: "key-missing", message: "the key \(key.name) has no value", entity: draft.entity.name,
          property: key.name, exitCode: .dataError)
      }
      return QueryPredicate.compare(QueryExpression.key(key.name), .equal, QueryExpression(.constant(value)))
    }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  /// Several keys may lead to several objects, one of which would be overwritten.
  private static func ambiguity(_ keys: [[PropertyDescription]], of entity: EntityDescription) -> Diagnostic {
    let names = keys.map { $0.map(\.name).joined(separator: ",") }
    return Diagnostic(
      code: "key-ambiguous",
      message:
        "\(names.joined(separator: " and ")) are keys of \(entity.name), and each may lead to another object",
      hints: ["say which is meant: " + names.map { "--key \($0)" }.joined(separator: ", or ")],
      entity: entity.name, exitCode: .usage)
  }

  private func constraint(
    of entity: EntityDescription, having given: Set<String>
  ) throws -> [PropertyDescription] {
    let constraints = entity.uniquenessConstraints
    let complete = constraints.filter { $0.allSatisfy { given.contains($0.name) } }
    if complete.count == 1 { return complete[0] }
    if complete.count > 1 { throw Self.ambiguity(complete, of: entity) }
    let names = constraints.map { $0.map(\.name).joined(separator: ",") }
    throw Diagnostic(
      code: "key-missing", message: "no key tells which \(entity.name) is meant",
      hints: [
        names.isEmpty
          ? "\(entity.name) has no uniqueness constraint; name the key with --key"
          : "give a value for \(names.joined(separator: " or ")), or name the key with --key"
      ],
      entity: entity.name, exitCode: .usage)
  }
}
