import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Writes values as property lists hold them: text, numbers, truth values, dates, bytes, lists and
/// dictionaries.
enum PropertyList {
  /// The binary form of a dictionary.
  ///
  /// - Throws: `metadata-invalid` with the key path of a value that a property list cannot hold.
  static func data(_ values: [String: Value]) throws -> Data {
    try check(values)
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return try encoder.encode(values.mapValues { PropertyListItem(value: $0) })
  }

  /// - Throws: as ``data(_:)``.
  static func check(_ values: [String: Value]) throws {
    for (key, value) in values { try check(value, path: [key]) }
  }

  private static func check(_ value: Value, path: [String]) throws {
    switch value {
    case .bool, .int, .string, .data: return
    case .double(let number) where !number.isNaN: return
    case .date(let date) where date.timeIntervalSinceReferenceDate.isFinite: return
    case .list(let items):
      for (position, item) in items.enumerated() { try check(item, path: path + [String(position)]) }
    case .dictionary(let members):
      for (key, member) in members { try check(member, path: path + [key]) }
    case .null, .double, .date, .decimal, .uuid, .uri, .object:
      throw GraphStoreError(
        .metadataInvalid, "The metadata value \(path.joined(separator: ".")) cannot be kept.",
        remedy: "Use text, numbers, truth values, finite dates, bytes, and lists and dictionaries of these.",
        value: value)
    }
  }
}
