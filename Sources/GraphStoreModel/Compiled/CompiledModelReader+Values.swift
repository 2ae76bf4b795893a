import Foundation
import GraphStorePredicates

extension CompiledModelReader {
  /// The default of an attribute, as model files write it.
  mutating func defaultValue(
    _ node: PropertyListNode?, of type: AttributeType, _ place: Place
  ) throws(KeyedArchiveError) -> JSONValue? {
    let archive = archive
    let value = try known("The default", at: place) { () throws(KeyedArchiveError) -> Value? in
      switch try archive.value(at: node) {
      case .null: return nil
      case .value(let value): return value
      case .list, .dictionary: throw .unknown("A collection is no default.")
      case .object(let object): throw .unknown("An object of class \(object.className) is no default.")
      }
    }
    guard let value else { return nil }
    guard let json = Self.json(value, as: type) else {
      findings.add(
        "compiled-bad-value", at: place,
        message: "The default is no value of type \(type.rawValue) and is left out.")
      return nil
    }
    return json
  }

  /// A value of an attribute as model files write it; nil where the type has no such value.
  static func json(_ value: Value, as type: AttributeType) -> JSONValue? {
    // Model files have no text for these.
    if case .double(let number) = value, !number.isFinite { return nil }
    let json: JSONValue? =
      switch (value, type) {
      case (.bool(let flag), .boolean): .bool(flag)
      case (.int(let number), .boolean): .bool(number != 0)
      case (.double(let number), .boolean): .bool(number != 0)
      case (.bool(let flag), _) where type.isNumber: .number(flag ? "1" : "0")
      case (.int(let number), _) where type.isNumber: .number(String(number))
      case (.double(let number), .float): .number(Float(number).description)
      case (.double(let number), .double), (.double(let number), .decimal): .number(number.description)
      case (.double(let number), _) where type.isInteger: Int64(exactly: number).map { .number(String($0)) }
      case (.decimal(let number), _) where type.isNumber: .number(number.description)
      case (.string(let text), .string), (.string(let text), .uri), (.string(let text), .uuid): .string(text)
      case (.string(let text), .decimal): .number(text)
      case (.date(let date), .date):
        DateText.text(of: date.timeIntervalSinceReferenceDate).map { .string($0) }
      case (.double(let seconds), .date): DateText.text(of: seconds).map { .string($0) }
      case (.int(let seconds), .date): DateText.text(of: Double(seconds)).map { .string($0) }
      case (.uuid(let uuid), .uuid): .string(uuid.uuidString)
      case (.uri(let url), .uri): .string(url.absoluteString)
      case (.data(let data), .binary): .string(data.base64EncodedString())
      default: nil
      }
    guard let json, (try? AttributeValueReader(type: type, zone: .required).value(fromModel: json)) != nil
    else { return nil }
    return json
  }

  /// The user information; values without a JSON form are left out.
  mutating func userInfo(
    _ node: PropertyListNode?, _ place: Place
  ) throws(KeyedArchiveError) -> [String: JSONValue] {
    var info: [String: JSONValue] = [:]
    for (name, node) in try members(node) {
      if let value = try json(node, depth: 0) {
        info[name] = value
      } else {
        findings.add(
          "compiled-bad-value", at: place,
          message: "The user info \"\(name.prefix(80))\" has no JSON form; it is left out.")
      }
    }
    return info
  }

  private func json(_ node: PropertyListNode, depth: Int) throws(KeyedArchiveError) -> JSONValue? {
    guard depth < 16 else { return nil }
    switch try archive.value(at: node) {
    case .null: return .null
    case .value(let value): return Self.json(value)
    case .list(let nodes):
      var items: [JSONValue] = []
      for node in nodes {
        guard let item = try json(node, depth: depth + 1) else { return nil }
        items.append(item)
      }
      return .array(items)
    case .dictionary:
      var members: [String: JSONValue] = [:]
      for (name, node) in try self.members(node) {
        guard let member = try json(node, depth: depth + 1) else { return nil }
        members[name] = member
      }
      return .object(members)
    case .object: return nil
    }
  }

  private static func json(_ value: Value) -> JSONValue? {
    switch value {
    case .bool(let flag): .bool(flag)
    case .int(let number): .number(String(number))
    case .double(let number): number.isFinite ? .number(number.description) : nil
    case .decimal(let number): .number(number.description)
    case .string(let text): .string(text)
    case .date(let date): DateText.text(of: date.timeIntervalSinceReferenceDate).map { .string($0) }
    case .uuid(let uuid): .string(uuid.uuidString)
    case .uri(let url): .string(url.absoluteString)
    case .data(let data): .string(data.base64EncodedString())
    default: nil
    }
  }
}
