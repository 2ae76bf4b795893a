import Foundation
import GraphStore
import GraphStoreReports

/// The unsaved change of an object as `.status` shows it: each property with what it was and what it is.
enum PendingChange {
  static func text(_ object: ManagedObject) throws -> String {
    let keys = object.changedKeys
    let now = try object.changedValues()
    let changes = try keys.map { key in
      "\(key): \(shown(try committedValue(of: object, key))) → \(shown(now[key] ?? nil))"
    }
    return VisibleText.escape("~ \(object.objectID.shortForm)  \(changes.joined(separator: ", "))")
  }

  /// What a property was; members of an ordered relationship in their order.
  private static func committedValue(of object: ManagedObject, _ key: String) throws -> Any? {
    if let relationship = object.entity.property(named: key) as? RelationshipDescription,
      relationship.isToMany, relationship.isOrdered
    {
      return try object.committedMembers(ofOrdered: key)
    }
    return try object.committedValues(forKeys: [key])[key] ?? nil
  }

  private static func shown(_ value: Any?) -> String {
    switch value {
    case nil: "nil"
    case let text as String: text.count > 40 ? "\"\(text.prefix(39))…\"" : "\"\(text)\""
    case let object as ManagedObject: object.objectID.shortForm
    case let objects as Set<ManagedObject>:
      "{\(objects.map(\.objectID).sorted().map(\.shortForm).joined(separator: ", "))}"
    case let objects as [ManagedObject]: "[\(objects.map(\.objectID.shortForm).joined(separator: ", "))]"
    case let data as Data: "\(data.count) bytes"
    case let value?: "\(value)"
    }
  }
}
