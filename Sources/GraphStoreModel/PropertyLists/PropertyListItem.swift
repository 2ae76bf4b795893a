import Foundation
import GraphStorePredicates

/// A value in a property list.
package struct PropertyListItem: Codable {
  package let value: Value

  package init(value: Value) { self.value = value }

  /// Reads a value of any kind; a number is read as the kind that it was written with.
  package init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: Key.self), let values = try? Self.members(members) {
      value = .dictionary(values)
      return
    }
    if var items = try? decoder.unkeyedContainer() {
      var values: [Value] = []
      while !items.isAtEnd { values.append(try items.decode(PropertyListItem.self).value) }
      value = .list(values)
      return
    }
    let item = try decoder.singleValueContainer()
    if let flag = try? item.decode(Bool.self) {
      value = .bool(flag)
    } else if let text = try? item.decode(String.self) {
      value = .string(text)
    } else if let date = try? item.decode(Date.self) {
      value = .date(date)
    } else if let data = try? item.decode(Data.self) {
      value = .data(data)
    } else if let number = try? item.decode(Int64.self) {
      value = .int(number)
    } else {
      value = .double(try item.decode(Double.self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    switch value {
    case .list(let items):
      var container = encoder.unkeyedContainer()
      for item in items { try container.encode(PropertyListItem(value: item)) }
    case .dictionary(let members):
      var container = encoder.container(keyedBy: Key.self)
      for (name, member) in members {
        try container.encode(PropertyListItem(value: member), forKey: Key(name))
      }
    default:
      var container = encoder.singleValueContainer()
      switch value {
      case .bool(let flag): try container.encode(flag)
      case .int(let number): try container.encode(number)
      case .double(let number): try container.encode(number)
      case .string(let text): try container.encode(text)
      case .date(let date): try container.encode(date)
      case .data(let data): try container.encode(data)
      default:
        throw EncodingError.invalidValue(
          value,
          EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "no property list value"))
      }
    }
  }

  private static func members(_ container: KeyedDecodingContainer<Key>) throws -> [String: Value] {
    var values: [String: Value] = [:]
    for key in container.allKeys {
      values[key.stringValue] = try container.decode(PropertyListItem.self, forKey: key).value
    }
    return values
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
