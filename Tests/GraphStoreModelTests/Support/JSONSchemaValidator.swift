import Foundation
import GraphStoreModel

/// As much of JSON Schema as the schema of models uses.
struct JSONSchemaValidator: Sendable {
  let root: JSONValue

  /// Whether a value is valid.
  func accepts(_ value: JSONValue) -> Bool { accepts(value, root) }

  private func accepts(_ value: JSONValue, _ schema: JSONValue) -> Bool {
    guard case .object(let rules) = schema else { return false }
    return rules.allSatisfy { key, rule in
      switch (key, rule) {
      case ("$ref", .string(let path)): accepts(value, resolve(path))
      case ("type", .string(let name)): isOfType(value, name)
      case ("type", .array(let names)): names.contains { $0.text.map { isOfType(value, $0) } ?? false }
      case ("enum", .array(let allowed)): allowed.contains(value)
      case ("const", _): value == rule
      case ("anyOf", .array(let forms)): forms.contains { accepts(value, $0) }
      case ("required", .array(let keys)):
        keys.allSatisfy { $0.text.map { value.members?[$0] != nil } ?? false }
      case ("additionalProperties", _): additionalAreFine(value, rules, rule)
      case ("properties", .object(let properties)):
        (value.members ?? [:]).allSatisfy { key, member in properties[key].map { accepts(member, $0) } ?? true
        }
      case ("items", _): (value.items ?? []).allSatisfy { accepts($0, rule) }
      case ("minItems", .number(let count)): (value.items?.count ?? .max) >= Int(count) ?? 0
      case ("maxItems", .number(let count)): (value.items?.count ?? 0) <= Int(count) ?? 0
      case ("minLength", .number(let count)): (value.text?.count ?? .max) >= Int(count) ?? 0
      case ("minimum", .number(let least)): value.number.map { $0 >= Double(least) ?? 0 } ?? true
      case ("pattern", .string(let pattern)): matches(value, pattern)
      case ("$schema", _), ("$defs", _), ("title", _), ("description", _), ("default", _): true
      default: false
      }
    }
  }

  private func resolve(_ path: String) -> JSONValue {
    path.split(separator: "/").dropFirst().reduce(root) { $0.members?[String($1)] ?? .null }
  }

  private func isOfType(_ value: JSONValue, _ name: String) -> Bool {
    guard name == "integer" else { return value.typeName == name }
    return value.number.map { $0.rounded() == $0 } ?? false
  }

  private func additionalAreFine(_ value: JSONValue, _ rules: [String: JSONValue], _ rule: JSONValue) -> Bool
  {
    let known = rules["properties"]?.members ?? [:]
    return (value.members ?? [:]).allSatisfy { key, member in
      known[key] != nil || (rule != .bool(false) && accepts(member, rule))
    }
  }

  private func matches(_ value: JSONValue, _ pattern: String) -> Bool {
    guard let text = value.text else { return true }
    return text.range(of: pattern, options: .regularExpression) != nil
  }
}

extension JSONValue {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
  fileprivate var items: [JSONValue]? { if case .array(let items) = self { items } else { nil } }
  fileprivate var members: [String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }
  fileprivate var number: Double? { if case .number(let text) = self { Double(text) } else { nil } }
}
