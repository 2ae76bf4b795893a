import Foundation
import GraphStore
import GraphStoreReports

/// The unsaved change of an object as `.status` shows it: each property with what it was and what it is.
enum PendingChange {
  static func text(_ object: ManagedObject) throws -> String {
    let keys = object.changedKeys
    let now = try object.changedValues()
    let texts = try keys.flatMap { key -> [String] in
      let former = try committedValue(of: object, key)
      let present = now[key] ?? nil
      guard let composite = object.entity.attribute(named: key), composite.type == .composite else {
        return ["\(key): \(shown(former)) → \(shown(present))"]
      }
      return changes(of: composite, from: former, to: present, at: key)
    }
    return VisibleText.escape("~ \(object.objectID.shortForm)  \(texts.joined(separator: ", "))")
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

  /// The elements of a composite attribute that have changed, by their paths as everywhere; all of them where
  /// none has.
  private static func changes(
    of composite: AttributeDescription, from former: Any?, to present: Any?, at path: String
  ) -> [String] {
    let elements = elements(of: composite, from: former, to: present, at: path)
    let changed = elements.filter { $0.former != $0.present }
    return (changed.isEmpty ? elements : changed).map { "\($0.path): \($0.former) → \($0.present)" }
  }

  private static func elements(
    of composite: AttributeDescription, from former: Any?, to present: Any?, at path: String
  ) -> [(path: String, former: String, present: String)] {
    let values = [former, present].map { $0 as? [String: Any?] ?? [:] }
    return composite.elements.flatMap { element in
      let pair = values.map { $0[element.name] ?? nil }
      let path = "\(path).\(element.name)"
      guard element.type == .composite else { return [(path, shown(pair[0]), shown(pair[1]))] }
      return elements(of: element, from: pair[0], to: pair[1], at: path)
    }
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
