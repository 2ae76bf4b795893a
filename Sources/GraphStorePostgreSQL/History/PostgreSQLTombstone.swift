#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreModel
import GraphStorePredicates

/// Values of a deleted record that a history keeps, as JSON by the names of the attributes.
struct PostgreSQLTombstone {
  /// The attributes of an entity whose values are kept; those with values that may be stored elsewhere in
  /// other stores are left out.
  private let kept: [PropertyLayout]

  init(_ entity: EntityLayout) {
    kept = entity.properties.filter { property in
      property.kind != .external && property.isPersistent
        && property.attribute?.preservesValueInHistory == true
    }
  }

  var isEmpty: Bool { kept.isEmpty }

  /// The text of a record's values; those that are missing are left out.
  func text(of row: Row) throws -> String {
    var members: [String: JSONValue] = [:]
    for property in kept {
      if let node = try Self.node(row, property) { members[property.name] = node }
    }
    return JSONValue.object(members).compactText
  }

  private static func node(_ row: Row, _ property: PropertyLayout) throws -> JSONValue? {
    guard row.hasValue(of: property) else { return nil }
    if property.kind == .composite {
      var members: [String: JSONValue] = [:]
      for element in property.elements {
        if let node = try node(row, element) { members[element.key] = node }
      }
      return .object(members)
    }
    let value = try row.value(of: property)
    if let node = JSONValue(value) { return node }
    // A time that no text of a date has.
    if case .date(let date) = value { return .number("\(date.timeIntervalSinceReferenceDate)") }
    return nil
  }

  /// The values of a text by the names of attributes, with those that are missing as nulls; nil of an entity
  /// that keeps none.
  ///
  /// It may have been written under a model that kept other attributes: values that cannot be of theirs are
  /// nulls.
  func values(from text: String?) -> [String: Value]? {
    if kept.isEmpty { return nil }
    let node = text.flatMap { try? JSONValue(json: Array($0.utf8)) }
    var values: [String: Value] = [:]
    for property in kept {
      values[property.name] = Self.value(Self.member(property.name, of: node), property)
    }
    return values
  }

  private static func member(_ name: String, of node: JSONValue?) -> JSONValue? {
    if case .object(let members)? = node { members[name] } else { nil }
  }

  private static func value(_ node: JSONValue?, _ property: PropertyLayout) -> Value {
    if property.kind == .composite {
      var values: [String: Value] = [:]
      for element in property.elements { values[element.key] = value(member(element.key, of: node), element) }
      return .dictionary(values)
    }
    guard let node else { return .null }
    switch property.kind {
    case .binary, .transformable:
      guard case .string(let text) = node, let data = Data(base64Encoded: text) else { return .null }
      return .data(data)
    default: return (try? property.attribute?.value(fromJSON: node)) ?? .null
    }
  }
}
#endif
