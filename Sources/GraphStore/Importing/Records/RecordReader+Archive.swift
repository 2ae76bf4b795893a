import Foundation
import GraphStorePredicates

/// Records as bytes, for those that wait.
extension RecordReader {
  private static let values = "values"
  private static let cleared = "cleared"

  /// A record that was read as bytes.
  func archive(_ record: ImportRecord) throws -> Data {
    var values: [String: Any] = [:]
    var cleared: [String] = []
    for (name, value) in record {
      if let form = try value.flatMap({ try propertyList($0, role(of: name)) }) {
        values[name] = form
      } else {
        cleared.append(name)
      }
    }
    return try PropertyListSerialization.data(
      fromPropertyList: [Self.values: values, Self.cleared: cleared] as [String: Any], format: .binary,
      options: 0)
  }

  private func propertyList(_ value: any Sendable, _ role: Role) throws -> Any? {
    switch role {
    case .attribute(let property): return try conversion.value(of: value, for: property).propertyListForm
    case .link(let relationship, let lookup):
      let forms = try members(value, of: relationship).map { member in
        if let lookup { return try keyText(member, of: lookup, through: relationship) }
        return try identifier(member, of: relationship.description.name).uriText
      }
      return relationship.isToMany ? forms : forms.first
    case .identifier: return try identifier(value, of: "objectID").uriText
    case .refused: return nil
    }
  }

  /// The record that was archived.
  func unarchived(_ data: Data) throws -> ImportRecord {
    let list = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
    let parts = list as? [String: Any] ?? [:]
    var record: ImportRecord = [:]
    for name in parts[Self.cleared] as? [String] ?? [] { record.updateValue(nil, forKey: name) }
    let stored = GivenValues(conversion.object, isPropertyList: true)
    for (name, form) in parts[Self.values] as? [String: Any] ?? [:] {
      switch role(of: name) {
      case .attribute(let property): record[name] = try stored.value(of: form, for: property)
      case .link(let relationship, _) where relationship.isToMany: record[name] = form as? [String]
      case .link, .identifier: record[name] = form as? String
      case .refused: break
      }
    }
    return record
  }
}
