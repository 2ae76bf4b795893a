import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Comparison of a migrated store with the objects that it is expected to hold, for tests of migrations.
///
/// ```swift
/// let differences = try MigrationVerifier.compare(
///   storeAt: "hr.db",
///   expected: [
///     "Department": [.init(["name": "Sales"])],
///     "Employee": [.init(["name": "Ada", "salary": 100], links: ["department": .init("name", ["Sales"])])],
///   ])
/// for difference in differences { print(difference) }
/// ```
public enum MigrationVerifier {
  /// An object that a store is expected to hold.
  public struct ExpectedObject: Sendable {
    /// Values of attributes by their names; attributes that are not named may have any value.
    public var values: [String: Value]
    /// Members of relationships by their names; relationships that are not named may have any.
    public var links: [String: Members]

    /// Describes an object.
    public init(_ values: [String: any ValueConvertible & Sendable], links: [String: Members] = [:]) {
      self.values = values.mapValues(\.queryValue)
      self.links = links
    }
  }

  /// Members of a relationship, identified by one of their attributes.
  public struct Members: Sendable {
    /// The attribute.
    public var key: String
    /// Its values; in their order for an ordered relationship.
    public var values: [Value]

    /// Describes members.
    ///
    /// - Parameters:
    ///   - key: The attribute that identifies them.
    ///   - values: Its values; none for a relationship without members.
    public init(_ key: String, _ values: [any ValueConvertible & Sendable]) {
      self.key = key
      self.values = values.map(\.queryValue)
    }
  }

  /// Compares what a store holds with what is expected: the number of objects of each entity, and that each
  /// object equals an expected one, each used once.
  ///
  /// - Parameters:
  ///   - path: The store's file, which is only read.
  ///   - expected: The expected objects by the names of their entities, objects of sub-entities by those of
  ///     their own; entities that are not named are expected to have none.
  /// - Returns: The differences as sentences; empty where there are none.
  /// - Throws: what is wrong with the path; `unknown-entity`, `unknown-key` for a name that the store's model
  ///   does not have.
  public static func compare(storeAt path: String, expected: [String: [ExpectedObject]]) throws -> [String] {
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: path, options: StoreOptions(isReadOnly: true))
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    return try context.performAndWait {
      for name in expected.keys { _ = try coordinator.managedObjectModel.entity(named: name) }
      return try coordinator.managedObjectModel.entities.filter { !$0.isAbstract }.flatMap { entity in
        var request = FetchRequest(entityName: entity.name)
        request.includesSubentities = false
        return try compare(try context.fetch(request), with: expected[entity.name] ?? [], of: entity)
      }
    }
  }

  private static func compare(
    _ objects: [ManagedObject], with expected: [ExpectedObject], of entity: EntityDescription
  ) throws -> [String] {
    var differences: [String] = []
    if objects.count != expected.count {
      differences.append("\(entity.name): \(objects.count) objects, and \(expected.count) are expected")
    }
    var pending = expected
    for object in objects {
      if let match = try pending.firstIndex(where: { try isEqual(object, $0) }) {
        pending.remove(at: match)
      } else {
        differences.append("\(object.objectID): is none of the expected objects: \(try text(object))")
      }
    }
    return differences
      + pending.map { expected in
        let values = expected.values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.literal)" }
        return "\(entity.name): no object is {\(values.joined(separator: ", "))}"
      }
  }

  private static func isEqual(_ object: ManagedObject, _ expected: ExpectedObject) throws -> Bool {
    for (name, value) in expected.values
    where !(try object.queryValue(forKey: name)).equals(value) { return false }
    for (name, members) in expected.links {
      let isToMany = object.entity.relationship(named: name)?.isToMany == true
      let objects =
        try isToMany ? object.objects(forKey: name) : [object.object(forKey: name)].compactMap(\.self)
      guard objects.count == members.values.count else { return false }
      var present = try objects.map { try $0.queryValue(forKey: members.key) }
      var wanted = members.values
      if object.entity.relationship(named: name)?.isOrdered != true {
        present.sort { $0.literal < $1.literal }
        wanted.sort { $0.literal < $1.literal }
      }
      guard zip(present, wanted).allSatisfy({ $0.equals($1) }) else { return false }
    }
    return true
  }

  private static func text(_ object: ManagedObject) throws -> String {
    let values = try object.entity.attributes.map {
      "\($0.name): \(try object.queryValue(forKey: $0.name).literal)"
    }
    return "{\(values.joined(separator: ", "))}"
  }
}

extension Value {
  /// Whether both are the same value, numbers by what they are worth, or both are missing.
  fileprivate func equals(_ other: Value) -> Bool { isNull ? other.isNull : isEqual(to: other) }
}
