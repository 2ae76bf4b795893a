import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Property lists in XML, as the metadata of XML stores are.
enum XMLPropertyList {
  private typealias Failure = MarkupParser.Failure

  // MARK: Writing

  /// Whether a property list in XML can hold a value as it is: text without characters that XML forbids,
  /// dates of whole seconds, and numbers that are finite.
  static func isExact(_ value: Value) -> Bool {
    switch value {
    case .bool, .int, .data: true
    case .double(let number): number.isFinite
    case .string(let text): XMLStoreText.isAllowed(text)
    case .date(let date): text(of: date) != nil
    case .list(let items): items.allSatisfy(isExact)
    case .dictionary(let members): members.allSatisfy { XMLStoreText.isAllowed($0.key) && isExact($0.value) }
    case .null, .decimal, .uuid, .uri, .object: false
    }
  }

  /// The text of a date of whole seconds in a year of four digits; nil for another.
  private static func text(of date: Date) -> String? {
    let text = DateText.text(of: date.timeIntervalSinceReferenceDate)
    return text.flatMap { $0.utf8.count == "2001-01-01T00:00:00Z".utf8.count ? $0 : nil }
  }

  /// Adds the lines of a value.
  static func write(_ value: Value, indent: String, to bytes: inout [UInt8]) {
    switch value {
    case .bool(let flag): bytes += "\(indent)<\(flag)/>\n".utf8
    case .int(let number): line("integer", "\(number)", indent, &bytes)
    case .double(let number): line("real", "\(number)", indent, &bytes)
    case .string(let text): line("string", text, indent, &bytes)
    case .date(let date): line("date", text(of: date) ?? "", indent, &bytes)
    case .data(let data): line("data", data.base64EncodedString(), indent, &bytes)
    case .list(let items):
      bytes += "\(indent)<array>\n".utf8
      for item in items { write(item, indent: indent + "    ", to: &bytes) }
      bytes += "\(indent)</array>\n".utf8
    case .dictionary(let members):
      bytes += "\(indent)<dict>\n".utf8
      for (key, member) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
        line("key", key, indent + "    ", &bytes)
        write(member, indent: indent + "    ", to: &bytes)
      }
      bytes += "\(indent)</dict>\n".utf8
    // No metadata have them.
    case .null, .decimal, .uuid, .uri, .object: break
    }
  }

  private static func line(_ name: String, _ text: String, _ indent: String, _ bytes: inout [UInt8]) {
    bytes += "\(indent)<\(name)>".utf8
    XMLStoreText.escape(text, to: &bytes)
    bytes += "</\(name)>\n".utf8
  }

  // MARK: Reading

  /// The dictionary that an element `plist` holds.
  static func dictionary(_ element: MarkupElement) throws(MarkupParser.Failure) -> [String: Value] {
    guard element.name == "plist", element.children.count == 1,
      case .dictionary(let values) = try value(element.children[0])
    else {
      throw Failure(offset: element.offset, message: "A property list of a dictionary is expected here.")
    }
    return values
  }

  private static func value(_ element: MarkupElement) throws(Failure) -> Value {
    switch element.name {
    case "dict": return try members(of: element)
    case "array":
      var items: [Value] = []
      for child in element.children { items.append(try value(child)) }
      return .list(items)
    default:
      guard element.children.isEmpty, let value = leaf(element.name, element.text) else {
        throw Failure(offset: element.offset, message: "This is no value of metadata.")
      }
      return value
    }
  }

  private static func leaf(_ name: String, _ text: String) -> Value? {
    switch name {
    case "string": .string(text)
    case "true": .bool(true)
    case "false": .bool(false)
    case "integer": Int64(text).map { .int($0) }
    case "real": Double(text).flatMap { $0.isNaN ? nil : .double($0) }
    case "date": DateText.seconds(from: text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case "data": XMLStoreText.data(text).map { .data($0) }
    default: nil
    }
  }

  private static func members(of element: MarkupElement) throws(Failure) -> Value {
    var members: [String: Value] = [:]
    var rest = element.children[...]
    while let key = rest.popFirst() {
      guard key.name == "key", let child = rest.popFirst() else {
        throw Failure(offset: key.offset, message: "A key and its value are expected here.")
      }
      guard members.updateValue(try value(child), forKey: key.text) == nil else {
        throw Failure(offset: key.offset, message: "The key \"\(key.text)\" occurs twice.")
      }
    }
    return .dictionary(members)
  }
}
