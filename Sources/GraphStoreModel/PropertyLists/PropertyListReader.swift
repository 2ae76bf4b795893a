import Foundation
import GraphStorePredicates

/// Parser of property lists, binary ones and those in XML.
package enum PropertyListReader {
  /// The deepest nesting of a property list in XML; Foundation's reader has no bound of its own.
  private static let maximumDepth = 64

  /// The root node of a binary property list; nil for bytes that are none, or not all of one.
  package static func node(of bytes: [UInt8]) -> PropertyListNode? { BinaryPropertyList.node(of: bytes) }

  /// The dictionary that a property list holds; nil for bytes that are none.
  package static func dictionary(of data: Data) -> [String: Value]? {
    if BinaryPropertyList.isOne(data) {
      guard case .dictionary(let values)? = BinaryPropertyList.node(of: Array(data))?.value else {
        return nil
      }
      return values
    }
    guard data.starts(with: Array("<?xml".utf8)) || data.starts(with: Array("<plist".utf8)),
      MarkupNesting.isAtMost(maximumDepth, in: Array(data))
    else { return nil }
    return try? PropertyListDecoder().decode([String: PropertyListItem].self, from: data).mapValues(\.value)
  }
}

/// Node of a property list, with the numbers by which keyed archives name objects.
package enum PropertyListNode: Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case date(Date)
  case data(Data)
  case string(String)
  /// The number of an object in a keyed archive.
  case reference(Int)
  case list([PropertyListNode])
  case dictionary([String: PropertyListNode])

  /// The value; nil where there is a missing value or a reference, which only archives have.
  package var value: Value? {
    switch self {
    case .null, .reference: return nil
    case .bool(let flag): return .bool(flag)
    case .int(let number): return .int(number)
    case .double(let number): return .double(number)
    case .date(let date): return .date(date)
    case .data(let data): return .data(data)
    case .string(let text): return .string(text)
    case .list(let items):
      let values = items.compactMap(\.value)
      return values.count == items.count ? .list(values) : nil
    case .dictionary(let members):
      let values = members.compactMapValues(\.value)
      return values.count == members.count ? .dictionary(values) : nil
    }
  }
}
