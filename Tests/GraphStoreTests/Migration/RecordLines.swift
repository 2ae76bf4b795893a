import Foundation
import GraphStoreModel
import GraphStorePredicates

@testable import GraphStore

/// What a store holds, in lines for people and tests: one an object, with its properties in the order of
/// their names.
enum RecordLines {
  static func of(_ context: ManagedObjectContext) throws -> [String] {
    let model = context.coordinator.managedObjectModel
    let objects = try model.entities.filter { $0.superentity == nil }.flatMap { entity in
      try context.fetch(FetchRequest<ManagedObject>(entityName: entity.name))
    }
    return try objects.sorted {
      ($0.entity.name, $0.objectID.key) < ($1.entity.name, $1.objectID.key)
    }.map(line)
  }

  static func line(_ object: ManagedObject) throws -> String {
    let values = try object.entity.properties.filter {
      !$0.isTransient && !($0 is FetchedPropertyDescription)
    }
    .sorted { $0.name < $1.name }.map { "\($0.name)=\(try text($0, of: object))" }
    return ([object.objectID.shortForm] + values).joined(separator: " ")
  }

  private static func text(_ property: PropertyDescription, of object: ManagedObject) throws -> String {
    switch property {
    case let relationship as RelationshipDescription where !relationship.isToMany:
      return try object.object(forKey: relationship.name)?.objectID.shortForm ?? "nil"
    case let relationship as RelationshipDescription:
      let ids = try object.objects(forKey: relationship.name).map(\.objectID)
      let members = relationship.isOrdered ? ids : ids.sorted { $0.key < $1.key }
      let list = members.map(\.shortForm).joined(separator: ",")
      return relationship.isOrdered ? "[\(list)]" : "{\(list)}"
    case let attribute as AttributeDescription where attribute.type == .composite:
      return composite(try object.value(forKey: attribute.name))
    case let attribute as AttributeDescription where attribute.type == .transformable:
      return try object.value(forKey: attribute.name).map { "\($0)" } ?? "nil"
    default: return text(try object.queryValue(forKey: property.name))
    }
  }

  private static func composite(_ value: Any?) -> String {
    switch value {
    case nil: "nil"
    case let members as [String: Any?]:
      "("
        + members.sorted { $0.key < $1.key }.map { "\($0.key)=\(composite($0.value))" }.joined(separator: " ")
        + ")"
    case let data as Data: text(.data(data))
    case let string as String: text(.string(string))
    case let value?: "\(value)"
    }
  }

  static func text(_ value: Value) -> String {
    switch value {
    case .null: "nil"
    case .bool(let flag): "\(flag)"
    case .int(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .string(let text): text.debugDescription
    case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
    case .uuid(let uuid): uuid.uuidString
    case .uri(let uri): uri.absoluteString
    case .data(let data) where data.count > 20:
      "\(data.count)×\(Set(data).sorted().map(String.init).joined(separator: ","))"
    case .data(let data): "x" + data.map { String(format: "%02x", $0) }.joined()
    default: "\(value)"
    }
  }
}
