import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Values of metadata as JSON: text, truth values, numbers and lists are what they are; dates, bytes and
/// numbers that JSON has not are objects with one key that begins with `$`.
package enum JSONMetadata {
  private enum Tag {
    static let date = "$date"
    static let data = "$data"
    static let double = "$double"
    /// A dictionary that could be taken for one of these.
    static let dictionary = "$dictionary"
  }

  package static func json(_ value: Value) -> JSONValue {
    switch value {
    case .bool(let flag): .bool(flag)
    case .int(let number): .number("\(number)")
    // Always with a point or an exponent, by which it is none of the whole numbers.
    case .double(let number) where number.isFinite: .number("\(number)")
    case .double(let number): [Tag.double: .string("\(number)")]
    case .string(let text): .string(text)
    case .date(let date):
      [
        Tag.date: DateText.text(of: date.timeIntervalSinceReferenceDate).map { .string($0) }
          ?? .number("\(date.timeIntervalSinceReferenceDate)")
      ]
    case .data(let data): [Tag.data: .string(data.base64EncodedString())]
    case .list(let items): .array(items.map(json))
    case .dictionary(let members):
      members.count == 1 && members.keys.allSatisfy { $0.hasPrefix("$") }
        ? [Tag.dictionary: .object(members.mapValues(json))] : .object(members.mapValues(json))
    // No metadata have them.
    case .null, .decimal, .uuid, .uri, .object: .null
    }
  }

  /// The value of a node; nil for one that no metadata have.
  package static func value(_ node: JSONValue) -> Value? {
    switch node {
    case .null: return nil
    case .bool(let flag): return .bool(flag)
    case .string(let text): return .string(text)
    case .number(let text):
      if let number = Int64(text) { return .int(number) }
      return Double(text).flatMap { $0.isFinite ? .double($0) : nil }
    case .array(let items):
      let values = items.compactMap(value)
      return values.count == items.count ? .list(values) : nil
    case .object(let members):
      if members.count == 1, let (key, member) = members.first, key.hasPrefix("$") {
        return tagged(key, member)
      }
      return dictionary(members)
    }
  }

  private static func dictionary(_ members: [String: JSONValue]) -> Value? {
    let values = members.compactMapValues(value)
    return values.count == members.count ? .dictionary(values) : nil
  }

  private static func tagged(_ tag: String, _ node: JSONValue) -> Value? {
    switch (tag, node) {
    case (Tag.data, .string(let text)): Data(base64Encoded: text).map { .data($0) }
    case (Tag.double, .string(let text)): Double(text).flatMap { $0.isInfinite ? .double($0) : nil }
    case (Tag.date, .string(let text)):
      DateText.seconds(from: text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case (Tag.date, .number(let text)):
      Double(text).flatMap { $0.isFinite ? .date(Date(timeIntervalSinceReferenceDate: $0)) : nil }
    case (Tag.dictionary, .object(let members)): dictionary(members)
    default: nil
    }
  }
}
